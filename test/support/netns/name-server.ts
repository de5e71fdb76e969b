import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server for nodes that keeps a log; FAKE: it answers every name with one address. */
export interface FakeNameServer extends AsyncDisposable {
  /** The names that were asked for, in order, without the final dot. */
  queries(): readonly string[];
}

/** An address of a documentation network (RFC 5737): behind the hub, and nobody's. */
export const outsideAddress = '198.51.100.1';

/**
 * Starts it on UDP port 53 of `address`. Every A question is answered with {@link outsideAddress},
 * other types with no record, so whoever follows a name runs into the hub's counter.
 */
export async function startFakeNameServer(address: string): Promise<FakeNameServer> {
  const names: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    const { name, type, end } = readQuestion(question);
    names.push(name);
    socket.send(reply(question.subarray(0, end), type), from.port, from.address);
  });
  socket.bind(53, address);
  await once(socket, 'listening');
  return {
    queries: () => names,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

const headerBytes = 12;
const typeA = 1;

/** RFC 1035, 4.1.2: labels with a length byte, then type and class. */
function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function reply(question: Buffer, type: number): Buffer {
  const header = Buffer.from(question.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180, 2); // a response, recursion available, no error
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(type === typeA ? 1 : 0, 6);
  header.fill(0, 8, headerBytes);
  const parts = [header, question.subarray(headerBytes)];
  if (type === typeA) parts.push(answer());
  return Buffer.concat(parts);
}

/** The name of the question (a pointer), type A, class IN, five seconds, four bytes of address. */
function answer(): Buffer {
  const fixed = Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 5, 0, 4]);
  return Buffer.concat([fixed, Buffer.from(outsideAddress.split('.').map(Number))]);
}

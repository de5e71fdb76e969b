import type { Duplex } from 'node:stream';
import { systemCode } from '../../shared/errors.ts';

const statuses: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'the chunk extensions are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request took too long to arrive'],
};

/**
 * Answers what is no HTTP request with an error document and closes: 400, or 408, 413, 431.
 * For `server.on('clientError')`; a connection that is gone already is only cleaned up.
 */
export function answerBrokenRequest(error: Error, socket: Duplex): void {
  const code = systemCode(error) ?? '';
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = statuses[code] ?? ['400 Bad Request', 'this is not an HTTP request'];
  const body = `${JSON.stringify({ errors: [{ code: 'UNSUPPORTED', message }] })}\n`;
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}

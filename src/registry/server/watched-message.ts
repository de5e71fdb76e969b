/** Requests and responses that count what passes through them. */
import { IncomingMessage, ServerResponse } from 'node:http';

/** `http.createServer({ IncomingMessage: WatchedRequest })`: counts the bytes of the body. */
export class WatchedRequest extends IncomingMessage {
  bodyBytes = 0;

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk instanceof Uint8Array) this.bodyBytes += chunk.length;
    return super.push(chunk, encoding);
  }
}

/** `http.createServer({ ServerResponse: WatchedResponse })`: counts the bytes of the body. */
export class WatchedResponse extends ServerResponse<WatchedRequest> {
  bodyBytes = 0;
  /** Who is logged in; the registry sets it. */
  user: string | undefined;

  // The arguments go on unseen, so the many declared overloads need not be told apart here.
  override write(...args: unknown[]): boolean {
    this.#count(args[0]);
    return Reflect.apply(super.write, this, args) as boolean; // as ServerResponse declares it
  }

  override end(...args: unknown[]): this {
    this.#count(args[0]);
    return Reflect.apply(super.end, this, args) as this; // end returns the response itself
  }

  #count(chunk: unknown): void {
    if (this.req.method === 'HEAD') return;
    if (chunk instanceof Uint8Array) this.bodyBytes += chunk.length;
    else if (typeof chunk === 'string') this.bodyBytes += Buffer.byteLength(chunk);
  }
}

/** Notes who is logged in, for the access log. */
export function noteUser(response: ServerResponse, user: string | undefined): void {
  if (response instanceof WatchedResponse) response.user = user;
}

import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { isRecord } from '../domain/schema-tools.ts'

/**
 * Names headers as the original does, "Upload-Offset": published clients and scripts compare them by their case, though none
 * counts.
 */
export class CanonicalResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(canonical(name), value)
  }

  override writeHead(status: number, ...rest: readonly unknown[]): this {
    const named = rest.map((part) => (isRecord(part) ? withNames(part as OutgoingHttpHeaders) : part))
    return super.writeHead(status, ...(named as []))
  }
}

function withNames(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [canonical(name), value]))
}

function canonical(name: string): string {
  return name.toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

import { randomUUID } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { MAINTENANCE_HEADER } from '../../domain/page-contract.ts'
import { FilemgrError, isFilemgrError } from '../../domain/errors.ts'
import { ERROR_STATUS, statusLine } from '../error-status.ts'
import { refusalIn } from '../../platform/files/disk-refusal.ts'
import { isBrowser } from '../protocol/caller.ts'

/** Codes that File Browser does not have, so no old client compares their texts. */
const EXPLAINED: readonly string[] = ['MAINTENANCE', 'QUOTA_EXCEEDED']

/** Seconds after which to ask again, unless the error knows better. */
const RETRY_AFTER = 5

/** Replies to errors with the plain text of the status, or with JSON if the client accepts it. */
export function errors(app: FastifyInstance, context: Context): void {
  app.decorateRequest('diskRefusal', undefined)
  app.setErrorHandler<FastifyError>((thrown, request, reply) => {
    const error = ownError(thrown, request)
    // The rest of the body is not read.
    if (error === request.requestEnd?.error) void reply.header('connection', 'close')
    request.diskRefusal = refusalIn(error)
    if (error.code !== 'INTERNAL') return sendError(error, request, reply)
    // The error may contain paths and values, so the client gets only an id to find it in the log.
    const id = randomUUID()
    context.log.error({ id, err: thrown, operation: request.routeOptions.config.operation?.id }, 'a request failed')
    const hidden = new FilemgrError('INTERNAL', `internal error; the log describes it under the id ${id}`, { id })
    return sendError(hidden, request, reply)
  })

  app.decorateRequest('logCutOff', function (this: FastifyRequest, error: unknown): void {
    const operation = this.routeOptions.config.operation?.id
    context.log.error({ err: error, operation }, 'a reply was cut off')
  })
}

function sendError(error: FilemgrError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code, message, details } = error
  const status = ERROR_STATUS[code]
  void reply.code(status)
  if (code === 'MAINTENANCE') void reply.header(MAINTENANCE_HEADER, '1')
  const challenge = status === 401 ? challengeFor(request) : undefined
  if (challenge !== undefined) void reply.header('www-authenticate', challenge)
  const retryAfter = details.retryAfter ?? (status === 503 ? RETRY_AFTER : undefined)
  if (retryAfter !== undefined) void reply.header('retry-after', Math.ceil(retryAfter))
  if (status === 202 || !prefersJson(request.headers.accept)) {
    // Few include the reason: old clients compare the other texts literally.
    const isExplained =
      (status === 400 && details.terse !== true) || details.explained === true || EXPLAINED.includes(code)
    const cause = isExplained ? ` (${message})` : ''
    return reply.type('text/plain; charset=utf-8').send(`${statusLine(status)}${cause}\n`)
  }
  const body = JSON.stringify({ error: { code, message, details } })
  return reply.type('application/json; charset=utf-8').send(body)
}

/**
 * How programs such as wget may authenticate, which send a password only after they were asked (RFC 9110, section 15.5.2). Not for
 * browsers, which would ask for a name and a password in a window over the page, nor for clients that use our own header.
 */
function challengeFor({ headers, routeOptions }: FastifyRequest): string | undefined {
  if (isBrowser(headers) || headers['x-auth'] !== undefined) return undefined
  const { access } = routeOptions.config
  if (access === 'share') return 'Basic realm="password of the link", charset="UTF-8"'
  return access === 'public'
    ? undefined
    : 'Basic realm="API token as the password", charset="UTF-8", Bearer realm="API token"'
}

function ownError(thrown: FastifyError, request: FastifyRequest): FilemgrError {
  const error = translate(thrown)
  // The end of the request aborted its work.
  if (error.code === 'CANCELLED' && request.requestEnd?.error !== undefined) return request.requestEnd.error
  const { invalidAs } = request.routeOptions.config
  const isInvalid = error.code === 'INVALID_INPUT' || error.code === 'TOO_LARGE'
  return invalidAs !== undefined && isInvalid && error.code !== invalidAs
    ? new FilemgrError(invalidAs, error.message)
    : error
}

/** Converts errors of the framework and the connection. */
function translate(thrown: FastifyError): FilemgrError {
  if (isFilemgrError(thrown)) return thrown
  if (thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new FilemgrError('TOO_LARGE', 'the body is too large')
  if (thrown.code === 'ECONNRESET' || thrown.code === 'ERR_STREAM_PREMATURE_CLOSE')
    return new FilemgrError('CANCELLED', 'the client went away')
  const isRequestFault = thrown.statusCode !== undefined && thrown.statusCode >= 400 && thrown.statusCode < 500
  if (isRequestFault) return new FilemgrError('INVALID_INPUT', 'the request is not valid')
  return new FilemgrError('INTERNAL', thrown.message, {}, { cause: thrown })
}

/** True if the Accept header prefers JSON to text. Clients of the original send no such type and show the plain text. */
export function prefersJson(accept: string | undefined): boolean {
  const quality = new Map((accept ?? '').split(',').map(readEntry))
  const json = quality.get('application/json') ?? 0
  const others = ['text/plain', 'text/html'].map((type) => quality.get(type) ?? 0)
  return json > 0 && others.every((other) => other <= json)
}

function readEntry(entry: string): [type: string, quality: number] {
  const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [type, quality === undefined ? 1 : Number(quality) || 0]
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { continueSending, sendToLink } from '../../api/shares/public.ts'
import type { Operation } from '../../api/operation.ts'
import type { Context } from '../../context.ts'
import { MAINTENANCE_HEADER } from '../../domain/page-contract.ts'
import { auditText, cutHash, MAX_NAME_LENGTH } from '../../domain/server/audit.ts'
import { isFilemgrError } from '../../domain/errors.ts'
import { cleanVirtualPath, ROOT } from '../../domain/files/virtual-path.ts'
import type { AuditFacts } from '../../domain/server/audit.ts'
import { AuditNotes, withNotes } from '../../services/activity-notes.ts'
import { RootIndex } from '../../services/stored-roots.ts'
import { addressOf, splitShared } from '../protocol/caller.ts'
import { decodeAgain } from '../protocol/request-path.ts'

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Logged only when an upload completes, and when one of these is refused. */
const NOT_LOGGED_ON_SUCCESS = new Set(['uploads.append', 'uploads.direct', 'auth.renew', 'shares.see', 'notices.see'])

/** Logged although it only reads, because it returns all password hashes. */
const BACKUP = 'backup.create'

/** Logged although they only read. The further range requests of media players are not logged. */
const DOWNLOADS = new Set(['downloads.raw', 'archives.get'])

/** Read-only operations that use POST because their input may be long. The page sends them while the user types. */
const QUESTIONS = new Set(['downloads.select', 'rules.preview', 'rules.whyIf', 'files.planRenames'])

const REMOVES_SHARE = 'shares.remove'

/** Writes a line to the audit log for each attempt to change something, and for downloads, visits of links and backups. */
export function audit(app: FastifyInstance, context: Context): void {
  const roots = new RootIndex(context.store, context.options)
  // After the body was read: its events do not belong to the request any more.
  app.addHook('preHandler', (request, _reply, done) => {
    const { operation } = request.routeOptions.config
    if (operation === undefined || (READING.has(operation.method) && READING.has(request.method))) return done()
    request.auditNotes = new AuditNotes()
    return withNotes(request.auditNotes, done)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { operation } = request.routeOptions.config
    // Not logged: during maintenance, every client is refused again and again.
    if (reply.hasHeader(MAINTENANCE_HEADER)) return done()
    if (operation !== undefined && isRemarkable(operation, request, reply.statusCode)) {
      const { each = [] } = request
      const common = { ...callerOf(request), address: addressOf(request), action: operation.id }
      const named = servedNames(roots, operation, request)
      for (const { path, destination, status, effect, action = operation.id } of each) {
        context.services.audit.record({
          ...common,
          action,
          ...(effect && { effect }),
          target: auditText(named(path)),
          ...(destination !== undefined && { destination: auditText(named(destination)) }),
          outcome: outcomeOf(operation, request, status),
        })
      }
      if (each.length === 0 || reply.statusCode >= 400) {
        context.services.audit.record({
          ...common,
          ...effectOf(request, reply.statusCode),
          ...targetOf(roots, operation, request),
          ...request.auditNotes?.noted,
          outcome: outcomeOf(operation, request, reply.statusCode),
        })
      }
    }
    done()
  })
}

function isRemarkable({ id, method, access }: Operation, request: FastifyRequest, status: number): boolean {
  const isRefused = status >= 400
  if (isDryRun(request)) return isRefused && status === 403
  // Refused visits are logged, since they may be attempts to guess the password of a link.
  if (access === 'share' && isRefused) return status !== 404
  // Nothing is sent with 304.
  if (access === 'share' || DOWNLOADS.has(id))
    return status !== 304 && (request.effect !== undefined || status === 202 || status === 403)
  if (id === BACKUP) return true
  if (QUESTIONS.has(id)) return status === 403
  if (NOT_LOGGED_ON_SUCCESS.has(id)) return request.endsUpload === true || (isRefused && status !== 409)
  return !READING.has(method) && !READING.has(request.method)
}

function callerOf({
  actor,
  visit,
  auditNotes,
}: FastifyRequest): Pick<AuditFacts, 'who' | 'userID' | 'session' | 'method' | 'provider' | 'factor' | 'token'> {
  if (actor?.kind === 'user') {
    const by =
      actor.token === undefined ? { session: actor.session.family.slice(0, 8) } : { token: auditText(actor.token.name) }
    return { who: auditText(actor.username), userID: actor.id, ...by }
  }
  return auditNotes?.signedIn ?? { who: visit === undefined ? '' : 'visitor' }
}

function isDryRun({ query }: FastifyRequest): boolean {
  return (query as { dryRun?: unknown } | undefined)?.dryRun === 'true'
}

function effectOf({ effect }: FastifyRequest, status: number): Pick<AuditFacts, 'effect'> {
  return effect === undefined || status >= 400 ? {} : { effect }
}

type Sent = { readonly destination?: unknown } | null | undefined

function targetOf(
  roots: RootIndex,
  operation: Operation,
  request: FastifyRequest,
): Pick<AuditFacts, 'target' | 'destination' | 'link'> {
  const params = request.params as Record<string, string | undefined>
  if (request.visit !== undefined) {
    const { visitor, target: shared } = request.visit
    // The address of a sent file is a secret: it removes the file.
    const hasAddress = operation.path === continueSending.path && operation.id !== sendToLink.id
    const rest = hasAddress ? '/' : splitShared(params['*'] ?? '').path
    return { target: auditText(inScope(cleanVirtualPath(shared), rest)), link: cutHash(visitor.hash) }
  }
  const named = servedNames(roots, operation, request)
  const { query, body } = request as { query: Sent; body: Sent }
  const destination = destinationIn(query) ?? body?.destination
  const target = targetIn(operation, params) ?? nameIn(request.body)
  return {
    ...(target === undefined ? {} : { target: auditText(named(target)) }),
    ...(typeof destination === 'string' ? { destination: auditText(named(destination)) } : {}),
  }
}

/** As the route decodes it; an invalid one as it was sent. */
function destinationIn(query: Sent): string | undefined {
  const destination = query?.destination
  if (typeof destination !== 'string') return undefined
  try {
    return decodeAgain(destination)
  } catch (error) {
    if (isFilemgrError(error)) return destination
    throw error
  }
}

/** Gives paths of the request the names that they have among all served files: users only know those in their places. */
function servedNames(roots: RootIndex, operation: Operation, { actor }: FastifyRequest): (path: string) => string {
  if (actor?.kind !== 'user' || !namesPath(operation)) return (path) => path
  const { allPlaces } = actor
  return (path) => {
    const [only] = allPlaces.all
    const name = path.split('/').find((part) => part !== '')
    const place = allPlaces.areSeveral ? allPlaces.named(name ?? '') : only
    if (place === undefined) return path
    const rest = allPlaces.areSeveral ? path.replace(/^\/*[^/]+/, '') || '/' : path
    return inScope(roots.shown(place.folder), rest)
  }
}

/** Whether the "*" of its address is a path in the folder of the user. */
function namesPath({ id, path }: Operation): boolean {
  return path.endsWith('/*') && id !== REMOVES_SHARE
}

/** The path in the served folder: users only know the one in theirs. */
function inScope(scope: string, path: string): string {
  if (scope === ROOT) return path
  return path === '/' ? scope : `${scope.replace(/\/$/, '')}${path.startsWith('/') ? '' : '/'}${path}`
}

function targetIn({ id, path }: Operation, params: Record<string, string | undefined>): string | undefined {
  // The hash of a share is a secret: it opens the link.
  if (path.startsWith('/api/public/') || id === REMOVES_SHARE) return cutHash(params['*'])
  if (params['hash'] !== undefined) return cutHash(params['hash'])
  return params['*'] === undefined ? Object.values(params)[0] : `/${params['*']}`
}

/** The name of a user who signs in, signs up or is created, or of a new token. */
function nameIn(body: unknown): string | undefined {
  const sent = (body ?? {}) as { username?: unknown; name?: unknown; data?: { username?: unknown } | null }
  const name = sent.username ?? sent.data?.username ?? sent.name
  return typeof name === 'string' ? auditText(name, MAX_NAME_LENGTH) : undefined
}

function outcomeOf({ id }: Operation, { effect }: FastifyRequest, status: number): AuditFacts['outcome'] {
  // A missing permission to download is answered with 202, for old clients.
  if (DOWNLOADS.has(id) && effect === undefined && status < 500) return 'refused'
  if (status >= 500) return 'failed'
  return status >= 400 ? 'refused' : 'done'
}

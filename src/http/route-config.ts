import type { Access, Operation } from '../api/operation.ts'
import type { Actor } from '../domain/actor.ts'
import type { ErrorCode, FilemgrError } from '../domain/errors.ts'
import type { Visit } from '../services/shares/visits.ts'

export interface SessionEndState {
  /** What the request is refused with since its session was revoked. */
  error?: FilemgrError
  /** Made when somebody wants to be stopped. */
  abort?: AbortController
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route does. A route without an operation, and without `page`, keeps the daemon from starting. */
    operation?: Operation
    access?: Access
    /** A part of the page: anybody may have it and nothing is decided by it. */
    page?: true
    /** Goes on with an upload, for which a session that has expired is good enough. */
    late?: true
    /** Renews the token that it is asked with. */
    renews?: true
    /** What a body that is not valid counts as: 400 instead of 403 must tell a sign-in nothing. */
    invalidAs?: ErrorCode
    /** What stands for the body while it does not matter; undefined when it does. */
    placeholderBody?: () => unknown
    /** The handler itself sees to it that it ends with its session. */
    endsItself?: true
  }

  interface FastifyRequest {
    /** Who asks. Set for all routes but public ones and those of public links. */
    actor: Actor | undefined
    /** Whether the session was revoked while the request is under way. */
    sessionEnd: SessionEndState | undefined
    /** Who came by a public link. Set by the guard of public links alone. */
    visit: Visit | undefined
    /** What went wrong in the middle of the answer, so that the connection had to be cut. */
    brokenBy?: unknown
    /** The part that it brought was the last one of an upload. */
    endsUpload?: true
    /** `Content-Type` as it came: the framework does not see it. */
    statedType: string | undefined
  }
}

import type { Access, Operation } from '../api/operation.ts'
import type { AuditEffect } from '../domain/server/audit.ts'
import type { Actor } from '../domain/accounts/actor.ts'
import type { ErrorCode, FilemgrError } from '../domain/errors.ts'
import type { DiskRefusal } from '../platform/files/disk-refusal.ts'
import type { AuditNotes } from '../services/activity-notes.ts'
import type { Visit } from '../services/shares/visits.ts'

export interface RequestEndState {
  /** Set once the request must end, because its actor would be refused now, or maintenance begins. */
  error?: FilemgrError
  /** The client has disconnected before the end of the reply. */
  hasLeft?: true
  /** Created on first use. */
  abort?: AbortController
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The daemon does not start if a route has neither an operation nor `page`. */
    operation?: Operation
    access?: Access
    /** A file of the web page, public for everyone. */
    page?: true
    /** An expired session may call this, to continue its uploads. */
    allowsExpiredSession?: true
    /** Renews the token of the request. */
    renews?: true
    /** The error for an invalid body: a sign-in must not reveal anything by answering 400 instead of 403. */
    invalidAs?: ErrorCode
    /** Returns a body to validate instead of the sent one, which is ignored; undefined to keep the sent one. */
    placeholderBody?: () => unknown
    /** Visitors of a link send or remove files, or send names, by this route, so it allows other methods than GET. */
    takesInput?: true
    /** The handler stops by itself when its actor would be refused. */
    endsItself?: true
  }

  interface FastifyRequest {
    /** Set on all routes except public ones and those of shares. */
    actor: Actor | undefined
    /** Set before the handler runs. */
    requestEnd: RequestEndState | undefined
    /** Set only by the guard of shares. */
    visit: Visit | undefined
    /** What the disk has refused to the daemon, for the log. */
    diskRefusal: DiskRefusal | undefined
    /** Logs the error that cut off the reply: the headers are sent, so the status can no longer report it. */
    logCutOff(error: unknown): void
    /** This request completed an upload. */
    endsUpload?: true
    /** What services note for the activity log. */
    auditNotes?: AuditNotes
    /** What the request did to files, for the activity log. */
    effect?: AuditEffect | undefined
    /** What the request did to each of several files, instead of `effect`. */
    each?: ChangedEntry[]
    /** `Content-Type` as sent; it is hidden from the framework. */
    statedType: string | undefined
  }
}

/** What a request for several entries did to one of them. */
export interface ChangedEntry {
  readonly path: string
  readonly destination?: string | undefined
  /** Of the operation that does this to a single entry, if the request is logged as such. */
  readonly action?: string
  readonly status: number
  readonly effect?: AuditEffect | undefined
}

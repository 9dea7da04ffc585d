import type { Actor, UserActor } from '../../../domain/accounts/actor.ts'
import { servedFolderOf } from '../../../domain/server/root.ts'
import { fail } from '../../../domain/errors.ts'
import { below, cleanVirtualPath, relativeTo, ROOT } from '../../../domain/files/virtual-path.ts'
import { jobFactsOf, type JobPlace, type JobRequest } from '../../../domain/automation/job-record.ts'
import type { JobControl, JobOutcome, JobQueue, StartedJob } from '../../../platform/limits/job-queue.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { HeldSessions } from '../../accounts/sessions/held-sessions.ts'
import type { JobBoard } from '../../../store/store.ts'
import type { JobJournal, JobNotes } from './job-notes.ts'
import type { AccessService } from '../../access/access.ts'
import type { Ends, FileAccess, Place } from '../../access/file-access.ts'
import type { ActorWatch } from '../../access/actor-watch.ts'

export interface StartJobDeps {
  readonly queue: Pick<JobQueue, 'start' | 'cancel' | 'leave' | 'reserve'>
  readonly journal: Pick<JobJournal, 'begin'>
  readonly jobBoard: Pick<JobBoard, 'whenSaved' | 'drop'>
  readonly access: Pick<AccessService, 'again'>
  readonly actorWatch: Pick<ActorWatch, 'onRefused'>
  readonly heldSessions: HeldSessions
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/** Does what a job was asked for, and notes what it must know to be continued. */
export type RecordedWork = (
  files: FileAccess,
  control: JobControl,
  notes: JobNotes,
  /** Where it copies or moves to. The same files unless that is another place. */
  target: FileAccess,
) => Promise<JobOutcome>

interface JobMore {
  /** If something has been done already. */
  readonly begun?: JobNotes | undefined
  /** Files of the request in another place, for `RecordedWork`. */
  readonly target?: FileAccess | undefined
}

/** Starts jobs that do what a request was allowed to do, and continue after the process has ended or was frozen. */
export function createStartJob(deps: StartJobDeps) {
  const { queue, journal, jobBoard, access, actorWatch, heldSessions, log } = deps

  /** Another run continues a job that this process could not end. */
  const forgetAtEnd = (started: StartedJob, notes: JobNotes): void => {
    const { id } = started
    const forget = async () => {
      if (started.isInterrupted) jobBoard.drop(id)
      const ended = started.isInterrupted ? notes.leave() : notes.forget(jobBoard.whenSaved(id))
      await ended.catch((error: unknown) => {
        log.error({ err: error, job: id }, 'the record of a job that is over could not be removed')
      })
    }
    started.done.then(forget, forget)
    const leave = () => queue.leave(id)
    if (notes.lease.signal.aborted) leave()
    else notes.lease.signal.addEventListener('abort', leave, { once: true })
  }

  /** A job may wait and run for longer than its session lives, also in a later process. */
  const keepSession = ({ done }: StartedJob, { record }: JobNotes): void => {
    const held = heldSessions.keepExtending(record.actor.session)
    const end = () => held[Symbol.dispose]()
    done.then(end, end)
  }

  /** Ends the job once its actor would be refused. @returns a function that unsubscribes */
  const endIfRefused = (id: string, actor: UserActor, kind: string): (() => void) =>
    actorWatch.onRefused(actor, (reason) => {
      log.warn({ job: id, kind, user: actor.id }, `a job was ended: ${reason.message}`)
      queue.cancel(id, reason)
    })

  return {
    /**
     * The job fails as soon as anything that the request has passed would be refused, whether it still waits or runs.
     *
     * @param files of the request, which end earlier
     * @param work gets files of its own
     * @throws BUSY
     */
    async start(
      actor: Actor,
      files: FileAccess,
      request: JobRequest,
      work: RecordedWork,
      { begun, target = files }: JobMore = {},
    ): Promise<StartedJob> {
      if (actor.kind === 'operator') fail('FORBIDDEN', 'files belong to users')
      using _place = queue.reserve(actor.id)
      const own = { ...actor, passed: new Set([() => files.requireStill(), () => target.requireStill()]) }
      await heldSessions.extend(actor.session?.family)
      const notes = begun ?? (await journal.begin(actor, files, request, target))
      const facts = shownFacts(notes)
      const run = async (control: JobControl) => {
        await files.refresh?.()
        files.requireStill()
        using opened = await access.again(own, files.place)
        opened.keep(files.requireStill)
        opened.keep(notes.requireOwned)
        if (target === files) return await workOwned(work, { source: opened, target: opened }, control, notes)
        target.requireStill()
        using into = await access.again(own, target.place, { sends: true })
        into.keep(target.requireStill)
        return await workOwned(work, { source: opened, target: into }, control, notes)
      }
      const started = queue.start({ ...facts, userID: actor.id }, run, earlierOf(notes))
      forgetAtEnd(started, notes)
      keepSession(started, notes)
      const unsubscribe = endIfRefused(started.id, own, facts.kind)
      started.done.then(unsubscribe, unsubscribe)
      return started
    },

    /**
     * Continues a job that an earlier process has begun. Everything is judged anew.
     *
     * @param actorAgain the actor as it is now; throws if it may do nothing more
     * @param abandon called if the work cannot even begin
     */
    resume(
      notes: JobNotes,
      actorAgain: () => UserActor,
      work: RecordedWork,
      abandon: (control: JobControl) => Promise<void>,
    ): StartedJob {
      const { actor, target, ...source } = notes.record
      const facts = shownFacts(notes)
      const run = async (control: JobControl) => {
        using held = new DisposableStack()
        let ends: Ends
        try {
          const own = actorAgain()
          const from = held.use(await access.again(own, placeIn(source)))
          from.keep(notes.requireOwned)
          requireScope(from, source)
          ends = { source: from, target: from }
          if (target !== undefined) {
            const into = held.use(await access.again(own, placeIn(target), { sends: true }))
            requireScope(into, target)
            ends = { source: from, target: into }
          }
          held.defer(endIfRefused(notes.record.id, own, facts.kind))
        } catch (error) {
          await abandon(control)
          throw error
        }
        return await workOwned(work, ends, control, notes)
      }
      const started = queue.start({ ...facts, userID: actor.user }, run, earlierOf(notes))
      forgetAtEnd(started, notes)
      keepSession(started, notes)
      return started
    },
  }
}

export type StartJob = ReturnType<typeof createStartJob>

/** How the work ends only counts while the job is ours: in a frozen daemon, for example, disks seem not to have answered in time. */
async function workOwned(
  work: RecordedWork,
  { source, target }: Ends,
  control: JobControl,
  notes: JobNotes,
): Promise<JobOutcome> {
  try {
    const { made, ...outcome } = await work(source, withShownNames(control, source), notes, target)
    // Who may see nothing must not learn which names were taken.
    if (made === undefined || target.given === 'upload') return outcome
    return { ...outcome, made: made.map((path) => target.shown(cleanVirtualPath(path))) }
  } finally {
    notes.requireOwned()
  }
}

/** Names what is left out by its path in what is shared: where that is is nothing to a recipient. */
function withShownNames(control: JobControl, { top, place }: FileAccess): JobControl {
  if (place.grant === undefined) return control
  const prefixes = [`${top}/`, `${top.slice(1)}/`]
  return {
    ...control,
    leftOut(name, ...rest) {
      const prefix = prefixes.find((each) => name.startsWith(each)) ?? ''
      control.leftOut(name.slice(prefix.length), ...rest)
    },
  }
}

function placeIn({ scope, grant, all }: JobPlace): Place {
  if (grant !== undefined) return { grant: grant.id }
  return all === true ? { all } : { folder: scope }
}

function requireScope({ user }: FileAccess, { scope, all }: JobPlace): void {
  if (all !== true && servedFolderOf(user) !== scope)
    fail('FORBIDDEN', 'the account has another folder since this was begun')
}

/** With the paths of the request: those of the owner are nothing to a recipient. */
function shownFacts({ record }: JobNotes): ReturnType<typeof jobFactsOf> {
  const { target = record } = record
  const { path, destination, ...facts } = jobFactsOf(record.request)
  const to = destination === undefined ? undefined : shownIn(target, destination)
  return { ...facts, path: shownIn(record, path), ...(to !== undefined && { destination: to }) }
}

function shownIn({ grant, shown = ROOT }: JobPlace, path: string): string {
  if (grant === undefined) return shown === ROOT ? path : below(shown, cleanVirtualPath(path))
  // Nobody learns which names were taken.
  return grant.sends === true ? grant.shown : below(grant.shown, relativeTo(grant.top, cleanVirtualPath(path)))
}

function earlierOf({ record }: JobNotes): { id: string; created: string } {
  return { id: record.id, created: new Date(record.created).toISOString() }
}

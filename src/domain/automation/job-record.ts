import { type Static, Type } from 'typebox'
import type { GrantId, TokenId, SessionFamily, UserId } from '../ids.ts'
import { ExtractRequest } from '../files/archives/archives.ts'
import { EntryIdentity } from '../files/entry-identity.ts'
import { CHECKSUMS } from '../files/resource.ts'
import { MAX_RENAMES } from '../files/renames/renames.ts'
import type { VirtualPath } from '../files/virtual-path.ts'
import type { Job } from './job.ts'

const Path = Type.Unsafe<VirtualPath>(Type.String({ maxLength: 4096 }))
const Name = Type.String({ maxLength: 1024 })

/** An entry that a batch renames. Its identity tells after a crash under which of the names it is; a bucket knows none. */
export const RenamedEntry = Type.Object({
  from: Name,
  to: Name,
  /** The name that it has until the new one is free. */
  temporary: Type.Optional(Name),
  entry: Type.Optional(EntryIdentity),
})
export type RenamedEntry = Static<typeof RenamedEntry>

/** What was asked, as it was decided when the job began: names that the job had to choose are chosen. */
export const JobRequest = Type.Union([
  Type.Object({ kind: Type.Literal('copy'), from: Path, to: Path, replace: Type.Boolean() }),
  Type.Object({
    kind: Type.Literal('move'),
    from: Path,
    to: Path,
    replace: Type.Boolean(),
    source: Type.Optional(EntryIdentity),
  }),
  Type.Object({ kind: Type.Literal('delete'), path: Path, source: Type.Optional(EntryIdentity) }),
  Type.Object({
    kind: Type.Literal('trash'),
    path: Path,
    deleted: Type.Integer(),
    source: Type.Optional(EntryIdentity),
  }),
  Type.Object({ kind: Type.Literal('restore'), item: Type.String({ maxLength: 64 }), from: Path, to: Path }),
  Type.Object({ kind: Type.Literal('extract'), path: Path, request: ExtractRequest }),
  Type.Object({
    kind: Type.Literal('compress'),
    folder: Path,
    items: Type.Array(Path),
    to: Path,
    replace: Type.Boolean(),
  }),
  Type.Object({ kind: Type.Literal('checksum'), path: Path, algorithm: Type.Enum(CHECKSUMS) }),
  Type.Object({
    kind: Type.Literal('measure'),
    path: Path,
    /** Also lists the largest and the oldest files. */
    notable: Type.Optional(Type.Literal(true)),
  }),
  Type.Object({
    kind: Type.Literal('rename'),
    folder: Path,
    entries: Type.Array(RenamedEntry, { maxItems: MAX_RENAMES }),
    /** Each step is noted before it is done, because the entries have no identity. */
    stepwise: Type.Optional(Type.Literal(true)),
  }),
])
export type JobRequest = Static<typeof JobRequest>
export type JobRequestOf<K extends JobRequest['kind']> = Extract<JobRequest, { readonly kind: K }>

/** A batch rename in steps: they follow from the names that the entries had when it was planned, and those that they get. */
const StepPlan = Type.Object({
  number: Type.Integer(),
  goal: Type.Enum(['to', 'from']),
  /** The name of each entry of the request; "" for one that is gone. */
  names: Type.Array(Name),
})
export type StepPlan = Static<typeof StepPlan>

const Id = Type.String({ pattern: '^[\\w-]{1,64}$' })
const Bits = Type.String({ pattern: '^[0-9a-f]{1,4096}$' })

/**
 * The step of a batch rename that may have begun; those before it are over. Apart from the record of the job, which is too large
 * to be written before each step.
 */
export const StepRecord = Type.Object({
  /** Of the job. */
  id: Id,
  /** The number of the plan; a step of an earlier plan says nothing. */
  plan: Type.Integer(),
  step: Type.Integer({ minimum: 0 }),
  /** The step has failed, and its entry is about to get its old name back. */
  returns: Type.Optional(Type.Literal(true)),
  /** Steps before it that have moved nothing: bits of a hexadecimal number. */
  stayed: Bits,
  /** Steps among these whose entries have got their old names back. */
  returned: Bits,
})
export type StepRecord = Static<typeof StepRecord>

/** What a job has done so far, as far as it must know that to be continued. */
export const JobProgress = Type.Object({
  /** The complete result, before it got its name: if the target is this entry, it has got it. */
  placed: Type.Optional(EntryIdentity),
  /** Folders are being merged, so that there is no single result. */
  merging: Type.Optional(Type.Literal(true)),
  /** The staged folder of an extraction, or of a transfer to another root. What it was placing when it was killed is taken back. */
  staged: Type.Optional(Name),
  /** What an extraction is about to put in place: if all of it is there, it is done. */
  items: Type.Optional(Type.Array(Type.Object({ to: Path, entry: EntryIdentity }))),
  /** Further temporary names of entries of a batch rename, by their old ones. */
  parked: Type.Optional(Type.Record(Name, Name)),
  /** The present plan of a batch rename in steps, unless it is the first one. */
  plan: Type.Optional(StepPlan),
  /** Why a batch rename is being undone. */
  undoing: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
})
export type JobProgress = Static<typeof JobProgress>

/** Who asked: an identity. What it may do is asked of the store when the job continues. */
export const JobActor = Type.Object({
  user: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
  session: Type.Optional(Type.Unsafe<SessionFamily>(Type.String({ maxLength: 64 }))),
  token: Type.Optional(Type.Unsafe<TokenId>(Type.String({ maxLength: 64 }))),
})
export type JobActor = Static<typeof JobActor>

const JobPlace = Type.Object({
  /** The folder that the account sees, whose files they are, when the job began: paths are meant in it. */
  scope: Path,
  /** Where this folder was among the files of the actor, if it was one of several places. */
  shown: Type.Optional(Path),
  /** They are in "/" of an actor with several places: paths begin with the name of one. */
  all: Type.Optional(Type.Literal(true)),
  /** For files that others share with the actor. */
  grant: Type.Optional(
    Type.Object({
      id: Type.Unsafe<GrantId>(Id),
      owner: Type.Unsafe<UserId>(Type.Integer({ minimum: 1 })),
      /** What is shared, in the scope, and where it was among the files of the actor. */
      top: Path,
      shown: Path,
      /** The actor sees nothing of it. */
      sends: Type.Optional(Type.Literal(true)),
    }),
  ),
})

export type JobPlace = Static<typeof JobPlace>

/** An unfinished job, which the next start of the daemon continues. */
export const JobRecord = Type.Object({
  /** A newer filemgr may write what this one would misunderstand. */
  version: Type.Literal(1),
  id: Id,
  /** In milliseconds since 1970. */
  created: Type.Integer(),
  actor: JobActor,
  ...JobPlace.properties,
  /** Where the targets are, if that is another place. */
  target: Type.Optional(JobPlace),
  request: JobRequest,
  progress: JobProgress,
})
export type JobRecord = Static<typeof JobRecord>

/** What the list of jobs shows of a request. */
export function jobFactsOf(request: JobRequest): Pick<Job, 'kind' | 'path' | 'destination'> {
  switch (request.kind) {
    case 'copy':
    case 'move':
      return { kind: request.kind, path: request.from, destination: request.to }
    case 'restore':
      return { kind: 'move', path: request.from, destination: request.to }
    case 'trash':
      return { kind: 'delete', path: request.path }
    case 'extract':
      return { kind: 'extract', path: request.path, destination: request.request.destination }
    case 'compress':
      return { kind: 'compress', path: request.folder, destination: request.to }
    case 'rename':
      return { kind: 'rename', path: request.folder }
    default:
      return { kind: request.kind, path: request.path }
  }
}

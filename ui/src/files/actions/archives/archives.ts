import { compressFiles, extractArchive } from '../../../../../src/api/files/archives.ts'
import type { CompressRequest } from '../../../../../src/domain/files/archives/archives.ts'
import type { Job } from '../../../../../src/domain/automation/job.ts'
import { nameOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { lazyPrompt } from '../../../kit/dialog/prompt-stack.tsx'
import { isJob } from '../../queries/jobs-query.ts'
import { reportOutcome } from '../batches/report-outcome.ts'
import { runBatch } from '../batches/run-batch.ts'
import type { Extract, FileActionsDeps, Target } from '../model.ts'
import { RESPOND_ASYNC } from '../transfers/plan-transfers.ts'

const ExtractPrompt = lazyPrompt(async () => (await import('../prompts/folders/folder-prompts.tsx')).ExtractPrompt)
const CompressPrompt = lazyPrompt(async () => (await import('../prompts/compress-prompt.tsx')).CompressPrompt)

/** Asks for the folder, and perhaps for the encoding. */
export async function extractTo(
  deps: FileActionsDeps,
  extract: Extract,
  makeIn: (folder: VirtualPath) => Promise<VirtualPath | undefined>,
): Promise<void> {
  const choice = await deps.ask(ExtractPrompt, { ...extract, makeIn })
  if (choice !== undefined) await extractInto(deps, { ...extract, encoding: choice.encoding }, choice.folder)
}

/** Names that are taken get a number. */
export async function extractInto(
  deps: FileActionsDeps,
  { archive, items, encoding }: Extract,
  folder: VirtualPath,
): Promise<void> {
  await run(deps, { kind: 'extract', path: archive, folder }, (signal) =>
    deps.client.call(extractArchive, {
      params: { '*': archive },
      body: { destination: folder, rename: true, ...(items && { items: [...items] }), ...(encoding && { encoding }) },
      headers: RESPOND_ASYNC,
      signal,
    }),
  )
}

/** Asks for a name and a format. */
export async function compress(deps: FileActionsDeps, { folder, items }: Target): Promise<void> {
  const names = items().map(({ path }) => nameOf(path))
  const destination = await deps.ask(CompressPrompt, { folder, names })
  if (destination === undefined) return
  const body: CompressRequest = { names, destination, rename: true }
  await run(deps, { kind: 'compress', path: destination, folder }, (signal) =>
    deps.client.call(compressFiles, { params: { '*': folder }, body, headers: RESPOND_ASYNC, signal }),
  )
}

async function run(
  deps: FileActionsDeps,
  {
    kind,
    path,
    folder,
  }: { readonly kind: 'extract' | 'compress'; readonly path: VirtualPath; readonly folder: VirtualPath },
  send: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const { queries, addedEntries, text } = deps
  let id: string | undefined
  const outcome = await runBatch(deps, {
    kind,
    items: [path],
    folder,
    pathOf: () => path,
    act: async (_, signal) => {
      const reply = await send(signal)
      id = isJob(reply) ? reply.id : undefined
      return reply
    },
  })
  const job = queries.getQueryData<Job[]>(['jobs'])?.find((each) => each.id === id)
  const made = (job?.made ?? []) as VirtualPath[]
  const skipped = job?.leftOut.filter(({ as }) => as === undefined).length ?? 0
  if (made.length > 0) addedEntries.set({ folder, names: made.map(nameOf) })
  await reportOutcome(deps, outcome, {
    success: kind === 'extract' ? 'actions.extracted' : 'actions.compressed',
    failure: kind === 'extract' ? 'actions.notExtracted' : 'actions.notCompressed',
    values: { name: nameOf((made.length === 1 && made[0]) || path), folder: nameOf(folder) || text('files.root') },
    note: skipped === 0 ? undefined : text('jobs.leftOut', { count: skipped }),
    undo: made.length > 0 ? { kind: 'made', paths: made } : undefined,
  })
}

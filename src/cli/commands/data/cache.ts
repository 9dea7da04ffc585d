import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { formatByteSize } from '../../../domain/text/units.ts'
import type { CacheSize } from '../../../domain/maintenance.ts'
import type { Context } from '../../../context.ts'
import { command, type CommandGroup, type Invocation } from '../../program/command.ts'
import { findDaemon } from '../../find-daemon.ts'
import { openContext } from '../../open-context.ts'
const show = command({
  name: 'show',
  summary: 'Say how many thumbnails are kept, and how large they are together',
  operations: ['cache.get'],
  reads: true,
  examples: [['cache show --json', 'for scripts']],
  async run(invocation) {
    await using context = await openCache(invocation)
    const size = await context.services.previewCache.size(OPERATOR)
    await invocation.output.answer({ json: size, text: `${words(size)} are kept` })
  },
})

const clear = command({
  name: 'clear',
  summary: 'Remove all thumbnails; they are made again when they are asked for',
  operations: ['cache.clear'],
  examples: [['cache clear', 'whether or not the daemon runs']],
  async run(invocation) {
    await using context = await openCache(invocation)
    const size = await context.services.previewCache.clear(OPERATOR)
    await invocation.output.answer({ json: size, text: `${words(size)} are removed` })
  },
})

/** A daemon may have been told another folder than this command sees. */
async function openCache(invocation: Invocation): Promise<Context> {
  const cacheDir = (await findDaemon(invocation))?.cacheDir
  return await openContext(invocation, cacheDir === undefined ? {} : { cacheDir })
}

function words({ entries, bytes }: CacheSize): string {
  return `${entries} thumbnails of ${formatByteSize(bytes)}`
}

export const cache: CommandGroup = { commands: [show, clear] }

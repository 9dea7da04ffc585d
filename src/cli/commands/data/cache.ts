import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { formatByteSize } from '../../../domain/text/units.ts'
import type { CacheSize } from '../../../domain/maintenance.ts'
import type { Context } from '../../../context.ts'
import { command, type CommandGroup, type Invocation } from '../../program/command.ts'
import { findDaemon } from '../../find-daemon.ts'
import { openContext } from '../../open-context.ts'
const show = command({
  name: 'show',
  summary: 'Show number and size of cached thumbnails',
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
  summary: 'Remove all cached thumbnails; they are created again when needed',
  operations: ['cache.clear'],
  examples: [['cache clear', 'works with and without a running daemon']],
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

import { clearCache, getCache } from '../../../api/server/cache.ts'
import { counted, formatByteSize } from '../../../domain/text/units.ts'
import type { CacheSize } from '../../../platform/cache/byte-cache.ts'
import { command, type CommandGroup } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'

const show = command({
  name: 'show',
  summary: 'Show number and size of cached thumbnails',
  operations: ['cache.get'],
  examples: [['cache show --json', 'for scripts']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const size = await door.call(getCache, {})
    await invocation.output.answer({ json: size, text: describe(size) })
  },
})

const clear = command({
  name: 'clear',
  summary: 'Remove all cached thumbnails; they are created again when needed',
  operations: ['cache.clear'],
  examples: [['cache clear', 'works with and without a running daemon']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const size = await door.call(clearCache, {})
    await invocation.output.answer({ json: size, text: `removed ${describe(size)}` })
  },
})

function describe({ entries, bytes }: CacheSize): string {
  return `${counted(entries, 'thumbnail')}, ${formatByteSize(bytes)}`
}

export const cache: CommandGroup = { commands: [show, clear] }

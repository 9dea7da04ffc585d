import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { tempFolder } from '../temp-folder.ts'

/**
 * Options of a server on which a hook before the event runs until `goOn`. The script is read by a shell: a program that was just written
 * cannot be started (ETXTBSY) while a process that was forked meanwhile still has it open for writing.
 */
export async function heldBy(event: string) {
  const gate = await tempFolder()
  const script = join(gate.path, 'wait.sh')
  const lines = [`touch ${gate.path}/begun`, `while [ ! -e ${gate.path}/go ]; do sleep 0.02; done`]
  await writeFile(script, lines.join('\n'))
  return {
    options: { options: { enableExec: true }, settings: { commands: { [`before_${event}`]: [`sh ${script}`] } } },
    begun: async () => await expect.poll(async () => await readdir(gate.path)).toContain('begun'),
    goOn: async () => await writeFile(join(gate.path, 'go'), ''),
    [Symbol.asyncDispose]: async () => await gate[Symbol.asyncDispose](),
  }
}

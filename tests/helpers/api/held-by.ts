import { chmod, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { tempFolder } from '../temp-folder.ts'

/** Options of a server on which a hook before the event runs until `goOn`. */
export async function heldBy(event: string) {
  const gate = await tempFolder()
  const script = join(gate.path, 'wait.sh')
  const lines = ['#!/bin/sh', `touch ${gate.path}/begun`, `while [ ! -e ${gate.path}/go ]; do sleep 0.02; done`]
  await writeFile(script, lines.join('\n'))
  await chmod(script, 0o755)
  return {
    options: { options: { enableExec: true }, settings: { commands: { [`before_${event}`]: [script] } } },
    begun: async () => await expect.poll(async () => await readdir(gate.path)).toContain('begun'),
    goOn: async () => await writeFile(join(gate.path, 'go'), ''),
    [Symbol.asyncDispose]: async () => await gate[Symbol.asyncDispose](),
  }
}

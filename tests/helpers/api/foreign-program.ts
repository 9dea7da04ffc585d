import { chmod, readdir } from 'node:fs/promises'
import { ForeignDecoders } from '../../../src/platform/images/foreign-decoders.ts'
import type { HeavyMemory } from '../../../src/platform/limits/heavy-memory.ts'
import { tempFolder, type FileTree } from '../temp-folder.ts'

export interface ForeignProgram extends AsyncDisposable {
  readonly decoders: ForeignDecoders
  /** The folder of the script. */
  readonly folder: string
  /** The process ids of all its runs. */
  starts(): Promise<number[]>
}

export interface ForeignProgramInput {
  /** Name of the program. */
  readonly name?: string
  /** Time limit in milliseconds. */
  readonly time?: number
  readonly memory?: HeavyMemory
  /** Additional files next to the script. */
  readonly files?: FileTree
}

/** A shell script instead of a video program. @param script finds its folder in "$here" */
export async function foreignProgram(script: string, input: ForeignProgramInput = {}): Promise<ForeignProgram> {
  const { name = 'ffmpeg', time, memory, files } = input
  const folder = await tempFolder(files)
  // The program may not write files, so a new folder records each run.
  await folder.fill({ [name]: `#!/bin/sh\nhere='${folder.path}'\nmkdir "$here/start-$$"\n${script}\n` })
  await chmod(folder.at(name), 0o755)
  return {
    decoders: new ForeignDecoders({
      path: folder.path,
      ...(time !== undefined && { time }),
      ...(memory && { memory }),
    }),
    folder: folder.path,
    async starts() {
      const names = (await readdir(folder.path)).filter((each) => each.startsWith('start-'))
      return names.map((each) => Number(each.slice('start-'.length)))
    },
    [Symbol.asyncDispose]: async () => await folder[Symbol.asyncDispose](),
  }
}

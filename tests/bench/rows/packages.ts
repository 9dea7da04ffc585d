import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { output, secondsOf } from '../processes.ts'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'

/** Archives a folder without compression, and prints the seconds it took. */
const ZIP_BY_ARCHIVER = `
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipArchive } from 'archiver'
const start = performance.now()
const archive = new ZipArchive({ store: true })
archive.directory(process.argv[2], 'archived')
void archive.finalize()
await pipeline(archive, new Writable({ write: (_part, _encoding, done) => done() }))
console.log((performance.now() - start) / 1000)
`

/** What our own code is compared with: packages that filemgr does not use. They are fetched for the comparison. */
export function packageRows({ data, ask, at }: Workbench): Row[] {
  let fetched: Promise<string> | undefined
  const folder = async () => {
    const path = at('packages')
    mkdirSync(path)
    writeFileSync(join(path, 'zip.mjs'), ZIP_BY_ARCHIVER)
    await secondsOf('npm install --silent --no-audit --no-fund --prefix "$1" archiver@8.0.0', path)
    return path
  }
  return [
    {
      name: 'zip of 1000 files',
      unit: 's',
      goal: { ratio: 0.5 },
      limit: {
        name: 'archiver',
        needs: 'npm',
        run: async () => {
          const path = await (fetched ??= folder())
          return Number(await output(process.execPath, [join(path, 'zip.mjs'), join(data.root, data.archived())]))
        },
      },
      run: async () => await ask([{ path: `/api/raw/${data.archived()}/?algo=zip` }]),
    },
  ]
}

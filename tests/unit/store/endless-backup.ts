import { saveBackup } from '../../../src/store/disk/save-backup.ts'

/** Writes a backup without end, until the test kills it: `node endless-backup.ts FILE`. */
async function* endless(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(1000)
  process.stdout.write('begun\n')
  await new Promise(() => setInterval(() => undefined, 60_000))
}

await saveBackup(process.argv[2] ?? '', endless())

/**
 * Writes lines to a log until three of them found no room, says so, and writes a last line once it is told that there is room.
 */
import { once } from 'node:events'
import { RotatingFile } from '../../../src/platform/logging/rotating-file.ts'

const [path = ''] = process.argv.slice(2)
const file = new RotatingFile({ path, lostLine: (count) => `lost ${count}\n` })
while (file.lost < 3) {
  try {
    file.write(`${'x'.repeat(2999)}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
process.stdout.write('full\n')
await once(process.stdin, 'data')
file.write('good\n')
file[Symbol.dispose]()
process.stdin.destroy()

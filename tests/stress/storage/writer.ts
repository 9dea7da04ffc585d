import { Readable } from 'node:stream'
import { ROOT } from '../../../src/domain/files/virtual-path.ts'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../../src/storage/storage.ts'
import { path, REPLACE } from '../../contract/storage/view.ts'

/** Run as a process: overwrites one file with one letter after the other, until it is killed. */
const [root = '', bytes = '0'] = process.argv.slice(2)
const storage = await openLocalStorage(root)
const scope = await storage.openScope(storagePathOf(ROOT), 'inside')

function* body(letter: string): Generator<Buffer> {
  const chunk = Buffer.alloc(65_536, letter)
  for (let left = Number(bytes); left > 0; left -= chunk.length) yield chunk.subarray(0, left)
}

for (let turn = 0; ; turn += 1) {
  const letter = String.fromCharCode(97 + (turn % 26))
  await scope.write(path('/file'), Readable.from(body(letter)), REPLACE)
  if (turn === 0) process.stdout.write('writing\n')
}

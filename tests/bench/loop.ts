/**
 * loop.ts FOLDER COUNT: the least that a new file can cost in Node.js, COUNT times in a new folder, each on disk before the next.
 * Prints the milliseconds of processor time and by the clock of one file.
 */
import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const [path = '.', count = '1000'] = process.argv.slice(2)
const bytes = Buffer.alloc(1024)
const temporary = join(path, '.temporary')
const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)
const [processor, clock] = [process.cpuUsage(), performance.now()]
for (let index = 0; index < Number(count); index += 1) {
  const file = openSync(temporary, 'wx', 0o640)
  writeSync(file, bytes)
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, join(path, `${index}.txt`))
  fsyncSync(folder)
}
const { user, system } = process.cpuUsage(processor)
console.log((user + system) / 1000 / Number(count), (performance.now() - clock) / Number(count))

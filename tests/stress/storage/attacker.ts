import { renameSync } from 'node:fs'

/**
 * Run as a process: takes turns in putting the two given entries under the first name, until it is killed. Three renames for
 * one exchange, so a name is missing now and then, which the victim may meet as well.
 */
const [first = '', second = ''] = process.argv.slice(2)
const parked = `${first}-parked`
for (;;) {
  renameSync(first, parked)
  renameSync(second, first)
  renameSync(parked, second)
}

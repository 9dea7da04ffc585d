import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fault, type Check, type Scene } from '../check.ts'

const TOLERANCE = 120_000
/** This program is younger. */
const EARLIEST = Date.UTC(2025, 0, 1)

/** Sessions, links and certificates end by the clock. */
export const clockCheck: Check = {
  name: 'clock',
  title: 'Clock of this machine',
  async run({ folder, now }: Scene) {
    const fix = 'set the clock, and switch time synchronisation on (timedatectl set-ntp true)'
    if (now < EARLIEST) return [fault(`the clock says ${new Date(now).toISOString()}`, fix)]
    const names = ['store.json', 'sessions']
    const found = await Promise.all(names.map(async (name) => await stat(join(folder, name)).catch(() => undefined)))
    const latest = Math.max(0, ...found.map((stats) => stats?.mtimeMs ?? 0))
    if (latest <= now + TOLERANCE) return []
    return [fault(`the clock is behind: our own files were written at ${new Date(latest).toISOString()}`, fix)]
  },
}

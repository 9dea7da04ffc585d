import { setTimeout as sleep } from 'node:timers/promises'
import { tryDataLock } from '../../../src/store/writer/data-lock.ts'

/** A process that holds the lock of a data folder until it is killed: `node lock-holder.ts <folder>`. */
using lock = await tryDataLock(process.argv[2] ?? '')
process.stdout.write(lock === undefined ? 'busy\n' : 'held\n')
await sleep(60_000)

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOver, type Job } from '../../src/domain/automation/job.ts'
import type { Operation } from './operations.ts'
import type { Answer, Fault, World } from './world.ts'

/** Statuses that describe a fault correctly: a conflict, a permission, the server or its disk, but not a wrong request. */
const TRUE_REFUSALS: readonly number[] = [403, 409, 500, 503, 507]
/** Where the daemon stages bytes; an empty folder does not count as a leftover. */
const STAGING = /(^|\/)\.[\w-]+\.fm-tmp/
const TRASH = /(^|\/)\.filemgr-trash\//
/** How long the sweep at startup may take. */
const SWEEP = 5000
/** How long an interrupted job may take. */
const JOBS = 60_000

/** Runs one operation under one fault. @returns what is wrong, or the outcome: "done", "refused (507)", "killed" */
export async function judgeCell(
  world: World,
  operation: Operation,
  fault: Fault,
): Promise<{ readonly wrong: readonly string[]; readonly outcome: string }> {
  const { before, given = [], where } = operation
  const wrong: string[] = []
  world.fill(before)
  const prepared = (await operation.prepare?.(world)) ?? ''
  world.strike(fault, where === 'root' ? world.root : world.data)
  const answer = await operation.act(world, prepared)
  const succeeded = answer.status >= 200 && answer.status < 300
  const health = world.isAlive() ? (await world.ask('GET', '/health')).status : 0
  world.heal()

  const isKill = fault.action === 'kill' || fault.action === 'kill-after'
  if (!isKill && health === 0) wrong.push('the daemon died')
  if (!isKill && !succeeded && !TRUE_REFUSALS.includes(answer.status)) wrong.push(`answered ${answer.status}`)
  if (!world.isAlive()) await world.restart('SIGKILL')
  else await world.restart()
  await untilJobsEnd(world)

  const found = world.read()
  const contents = new Set(found.values())
  for (const [name, content] of Object.entries(before))
    if (!given.includes(content) && !contents.has(content)) wrong.push(`${name} is lost`)
  const known = new Set([...Object.values(before), ...Object.values(operation.after ?? {}), ''])
  for (const [name, content] of found)
    if (!STAGING.test(name) && !TRASH.test(name) && !known.has(content)) wrong.push(`${name} is damaged`)
  if (succeeded) wrong.push(...(await missing(world, operation, answer)).map((problem) => `said done, but ${problem}`))
  else if (!isKill || operation.resume !== undefined)
    wrong.push(...(await tryAgain(world, operation, prepared, answer)))

  const leftovers = await leftAfterSweep(world)
  if (leftovers.length > 0) wrong.push(`left behind: ${leftovers.slice(0, 3).join(', ')}`)
  return { wrong, outcome: succeeded ? 'done' : answer.status === 0 ? 'killed' : `refused (${answer.status})` }
}

/** The restarted daemon goes on with what the killed one was doing. */
async function untilJobsEnd(world: World): Promise<void> {
  for (const end = Date.now() + JOBS; Date.now() < end;) {
    const { status, text } = await world.ask('GET', '/api/jobs')
    // The operation may have ended the session.
    if (status !== 200 || (JSON.parse(text) as Job[]).every(isOver)) return
    await sleep(50)
  }
}

/**
 * A refused operation succeeds once the fault is over, and so does an interrupted upload. A change that is in place but could
 * not be synced is refused too, and needs no retry.
 */
async function tryAgain(world: World, operation: Operation, prepared: string, refused: Answer): Promise<string[]> {
  if (operation.after !== undefined && (await missing(world, operation)).length === 0) return []
  const answer = await (operation.resume?.(world, refused) ?? operation.act(world, prepared))
  if (answer.status < 200 || answer.status >= 300) return [`answered ${answer.status} when tried again`]
  return (await missing(world, operation, answer)).map((problem) => `when tried again, ${problem}`)
}

async function missing(world: World, operation: Operation, answer?: Answer): Promise<string[]> {
  if (operation.isDone !== undefined && answer !== undefined)
    return (await operation.isDone(world, answer)) ? [] : ['it had no effect']
  const found = world.read()
  const expected = Object.entries(operation.after ?? {})
  return [
    ...expected.filter(([name, content]) => found.get(name) !== content).map(([name]) => `${name} is not there`),
    ...(operation.gone ?? [])
      .filter((name) => [...found.keys()].some((path) => path === name || path.startsWith(join(name, '/'))))
      .map((name) => `${name} is still there`),
  ]
}

/** Hidden files that the daemon's sweep at startup has not removed, except unfinished uploads, which can be resumed. */
async function leftAfterSweep(world: World): Promise<string[]> {
  for (const end = Date.now() + SWEEP; ;) {
    const left = [...world.read().keys()].filter((name) => STAGING.test(name) && !name.endsWith('/'))
    if (left.length === 0 || Date.now() > end) return left
    await sleep(100)
  }
}

import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../../src/domain/accounts/actor.ts'
import { createAudit, type AuditTrail } from '../../../../../src/services/server/audit/audit.ts'
import { movableClock } from '../../../../helpers/movable-clock.ts'
import { recordingLog } from '../../../../helpers/recording-log.ts'

function trail(): AuditTrail & { written: string[]; full: boolean } {
  const written: string[] = []
  return {
    written,
    full: false,
    write(line) {
      if (this.full) throw new Error('ENOSPC')
      written.unshift(line)
    },
    async *lines() {
      yield* [...written]
    },
    reopen: () => undefined,
    [Symbol.dispose]: () => undefined,
  }
}

const facts = (who: string, action = 'files.save') => ({ who, action, outcome: 'done' as const })

describe('the audit log', () => {
  it('gives the newest lines page by page, and lines of one moment on one page', async () => {
    const clock = movableClock()
    const audit = createAudit({ trail: trail(), clock, log: recordingLog() })
    for (const who of ['a', 'b', 'c', 'd', 'e']) {
      audit.record(facts(who))
      if (who !== 'c') clock.move(1000)
    }
    const first = await audit.page(OPERATOR, { limit: 2 })
    expect(first.entries.map(({ who }) => who)).toEqual(['e', 'd', 'c'])
    const second = await audit.page(OPERATOR, { limit: 2, before: first.next ?? '' })
    expect(second.entries.map(({ who }) => who)).toEqual(['b', 'a'])
    expect(second.next).toBeNull()
  })

  it('finds what one user did, and one kind of action', async () => {
    const audit = createAudit({ trail: trail(), clock: movableClock(), log: recordingLog() })
    audit.record(facts('bob'))
    audit.record(facts('bob', 'users.create'))
    audit.record(facts('eve', 'users.remove'))
    const actions = async (query: object) => (await audit.page(OPERATOR, query)).entries.map(({ action }) => action)
    expect(await actions({ user: 'bob' })).toEqual(['users.create', 'files.save'])
    expect(await actions({ action: 'users.' })).toEqual(['users.remove', 'users.create'])
    expect(await actions({ action: 'users.remove' })).toEqual(['users.remove'])
  })

  it('finds entries by outcome, and by the path, destination or account that they name', async () => {
    const audit = createAudit({ trail: trail(), clock: movableClock(), log: recordingLog() })
    audit.record({ ...facts('bob'), target: '/Docs/a.txt' })
    audit.record({
      ...facts('eve', 'files.transfer'),
      target: '/b.txt',
      destination: '/docs/b.txt',
      outcome: 'refused',
    })
    audit.record({ ...facts('eve', 'users.create'), target: 'documentalist' })
    audit.record({ ...facts('eve', 'users.remove'), target: 5 } as never)
    const found = async (query: object) => (await audit.page(OPERATOR, query)).entries.map(({ target }) => target)
    expect(await found({ target: '/docs/' })).toEqual(['/b.txt', '/Docs/a.txt'])
    expect(await found({ target: 'docu', outcome: 'done' })).toEqual(['documentalist'])
    expect(await found({ outcome: 'refused' })).toEqual(['/b.txt'])
  })

  it('ends where lines older than the requested time begin', async () => {
    const clock = movableClock()
    const audit = createAudit({ trail: trail(), clock, log: recordingLog() })
    for (const who of ['a', 'b', 'c']) {
      audit.record(facts(who))
      clock.move(1000)
    }
    const [, second] = (await audit.page(OPERATOR, {})).entries
    const page = await audit.page(OPERATOR, { after: second?.time ?? '' })
    expect(page.entries.map(({ who }) => who)).toEqual(['c', 'b'])
    expect(page.next).toBeNull()
  })

  it('skips a line that a crash cut short', async () => {
    const lines = trail()
    const audit = createAudit({ trail: lines, clock: movableClock(), log: recordingLog() })
    audit.record(facts('a'))
    lines.written.unshift('{"time":"2026-')
    audit.record(facts('b'))
    expect((await audit.page(OPERATOR, {})).entries.map(({ who }) => who)).toEqual(['b', 'a'])
  })

  it('gets to the end of a log that is longer than one page may read', async () => {
    const clock = movableClock()
    const audit = createAudit({ trail: trail(), clock, log: recordingLog() })
    for (let line = 0; line < 80; line += 1) {
      audit.record({ ...facts(line === 0 ? 'first' : 'other'), target: 'x'.repeat(1024 * 1024) })
      clock.move(1000)
    }
    const found: string[] = []
    let before: string | null | undefined
    for (let page = 0; page < 5 && before !== null; page += 1) {
      const { entries, next } = await audit.page(OPERATOR, { user: 'first', ...(before !== undefined && { before }) })
      found.push(...entries.map(({ who }) => who))
      before = next
    }
    expect({ found, before }).toEqual({ found: ['first'], before: null })
  })

  it('skips a line that somebody edited', async () => {
    const lines = trail()
    const audit = createAudit({ trail: lines, clock: movableClock(), log: recordingLog() })
    lines.written.unshift('{"time":"2026-01-01","action":5}', '{"time":{},"action":"users.create"}', 'null', '5')
    expect((await audit.page(OPERATOR, { action: 'users.' })).entries).toEqual([])
  })

  it('does not fail operations when the disk is full, and logs that once', () => {
    const lines = trail()
    const log = recordingLog()
    const audit = createAudit({ trail: lines, clock: movableClock(), log })
    lines.full = true
    audit.record(facts('a'))
    audit.record(facts('b'))
    expect(log.lines).toHaveLength(1)
    lines.full = false
    audit.record(facts('c'))
    expect(lines.written).toHaveLength(1)
    audit.record(facts('d'))
    expect(log.lines).toHaveLength(2)
    expect(JSON.stringify(log.lines[1])).toContain('lost: 2 lines')
  })
})

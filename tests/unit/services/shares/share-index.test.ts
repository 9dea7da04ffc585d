import { expect, it } from 'vitest'
import type { Share } from '../../../../src/domain/shares/share.ts'
import type { ShareHash, UserId } from '../../../../src/domain/ids.ts'
import { ROOT } from '../../../../src/domain/files/virtual-path.ts'
import { ShareIndex } from '../../../../src/services/shares/share-index.ts'
import { seeded } from '../../../helpers/seeded.ts'

const OWNERS = 3

it('links are found and counted in any list, whatever was asked about before', () => {
  const random = seeded(7)
  const upTo = (limit: number) => Math.floor(random() * limit)
  const index = new ShareIndex()
  let [lists, made]: [readonly Share[][], number] = [[[]], 0]
  const link = (hash: string): Share => ({
    hash: hash as ShareHash,
    path: '/',
    userID: upTo(OWNERS) as UserId,
    expire: 0,
    scope: ROOT,
    created: 0,
    openings: 0,
    lastOpened: 0,
  })
  for (let turn = 0; turn < 500; turn += 1) {
    // Also an older list, as a snapshot is while a change is being applied.
    const shares = lists[upTo(lists.length)] ?? []
    const at = upTo(shares.length)
    const kind = random()
    const next =
      kind < 0.5 || shares.length === 0
        ? [...shares, link(`link ${(made += 1)}`)]
        : kind < 0.75
          ? shares.with(at, link(shares[at]?.hash ?? ''))
          : shares.toSpliced(at, 1 + upTo(3))
    lists = [...lists.slice(-2), next]
    for (const owner of [0, 1, 2] as UserId[])
      expect(index.countOf(next, owner)).toBe(next.filter(({ userID }) => userID === owner).length)
    for (const known of shares) expect(index.find(next, known.hash)).toBe(next.find(({ hash }) => hash === known.hash))
    for (const share of next) expect(index.find(next, share.hash)).toBe(share)
  }
})

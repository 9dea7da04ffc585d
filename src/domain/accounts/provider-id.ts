import type { ProviderId } from '../ids.ts'
import { foldForSearch } from '../text/fold.ts'

/** The id of a new provider by its name, such as "example-sso". It becomes part of addresses. */
export function providerIdFor(name: string, isTaken: (id: ProviderId) => boolean): ProviderId {
  const plain = foldForSearch(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 28)
    .replaceAll(/^-+|-+$/g, '')
  const base = plain === '' ? 'provider' : plain
  for (let number = 1; ; number += 1) {
    const id = (number === 1 ? base : `${base}-${number}`) as ProviderId
    if (!isTaken(id)) return id
  }
}

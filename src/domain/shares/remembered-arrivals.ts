import { type Arrival, MAX_ARRIVALS } from './share-terms.ts'

/**
 * The arrivals that a link remembers. Beyond the maximum, the oldest complete ones of the sender with the most are forgotten, so
 * that one visitor who sends many empty files cannot push out the receipts of the others.
 */
export function rememberedArrivals(all: readonly Arrival[], maximum = MAX_ARRIVALS): Arrival[] {
  const bySender = new Map<string, Arrival[]>()
  const complete = all.filter(({ file }) => file !== undefined)
  for (const arrival of complete) {
    const { sender = '' } = arrival
    bySender.set(sender, [...(bySender.get(sender) ?? []), arrival])
  }
  const forgotten = new Set<Arrival>()
  while (complete.length - forgotten.size > maximum) {
    const [most = []] = [...bySender.values()].toSorted((a, b) => b.length - a.length)
    const oldest = most.shift()
    if (oldest !== undefined) forgotten.add(oldest)
  }
  return all.filter((arrival) => !forgotten.has(arrival))
}

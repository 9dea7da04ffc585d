import type { Actor } from '../../domain/accounts/actor.ts'

/**
 * Does one of many things that a request asks for. What this one needs does not matter for the others, but while it runs, the request ends
 * if the actor may no longer do it.
 */
export async function asPartOf<T>(actor: Actor, work: (own: Actor) => Promise<T>): Promise<T> {
  if (actor.kind === 'operator') return await work(actor)
  const own = { ...actor, passed: new Set<() => void>() }
  const requireStill = (): void => {
    for (const check of own.passed) check()
  }
  actor.passed.add(requireStill)
  try {
    return await work(own)
  } finally {
    actor.passed.delete(requireStill)
  }
}

import { Suspense, useCallback, useEffect } from 'react'
import { useLiveEvent } from '../api/live-events.ts'
import { KeysComing } from '../kit/keyboard/keys-coming.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { useStore } from '../lib/create-store.ts'
import { useWork } from '../files/actions/late-work.tsx'

const WorkRoot = lazyPart(async () => (await import('./work-root.tsx')).WorkRoot)

const INTENTIONS = ['pointermove', 'pointerdown', 'keydown'] as const

/** Fetches what work needs when a hand comes near the page, or when the server is at work already. */
export function LateWorkRoot() {
  const { wanted, coming: asked } = useWork()
  const needed = useStore(wanted)
  const isAsked = useStore(asked, (count) => count > 0)
  useLiveEvent('job', () => wanted.set(true))
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    for (const type of INTENTIONS) addEventListener(type, () => wanted.set(true), { signal, once: true })
    return () => listening.abort()
  }, [wanted])
  // A boundary of its own: whatever stands beside it stays as it is while this comes.
  const want = useCallback(() => wanted.set(true), [wanted])
  const coming = <KeysComing onKept={want} />
  return (
    <>
      {isAsked && <KeysComing all />}
      <Suspense fallback={coming}>{needed ? <WorkRoot /> : coming}</Suspense>
    </>
  )
}

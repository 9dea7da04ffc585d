import { useEffect } from 'react'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { useLatest } from '../../lib/use-latest.ts'

const INTERVAL = 10_000

/** Says how far the uploads are, at once and then every ten seconds: a screen reader that talks at each tick is useless. */
export function useLiveSummary(summary: string): void {
  const announce = useAnnounce()
  const latest = useLatest(summary)
  const running = summary !== ''
  useEffect(() => {
    if (!running) return
    let said = ''
    const say = (): void => {
      if (latest.current !== said) announce((said = latest.current))
    }
    say()
    const timer = setInterval(say, INTERVAL)
    return () => clearInterval(timer)
  }, [running, announce, latest])
}

import { useEffect, useState } from 'react'

const TICK = 15_000

/** The current time, updated regularly, for relative times. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}

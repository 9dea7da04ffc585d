import { useEffect, useEffectEvent } from 'react'
import { useConfig } from '../../../api/page-config.tsx'
import { useUser } from '../../../api/session.ts'
import { keep, readKept } from '../../../lib/kept-list.ts'

const MAX_VISITS = 20
/** Milliseconds with a file that count as a visit, not as passing through. */
const MIN_VISIT = 1000

/** What was opened in this browser, newest first. Paths of folders end with a slash. */
export interface RecentVisits {
  all(): readonly string[]
  add(path: string): void
  /** What is not there any more. */
  forget(gone: readonly string[]): void
}

/** @param owner the account; users who share a browser do not see each other's visits */
export function createRecentVisits(storage: Storage, owner: string): RecentVisits {
  const key = `filemgr:visits:${owner}`
  const all = () => readKept(storage, key).filter((path) => typeof path === 'string')
  return {
    all,
    add: (path) => keep(storage, key, [path, ...all().filter((other) => other !== path)].slice(0, MAX_VISITS)),
    forget: (gone) =>
      keep(
        storage,
        key,
        all().filter((path) => !gone.includes(path)),
      ),
  }
}

export function useRecentVisits(): RecentVisits {
  const { BaseURL } = useConfig()
  return createRecentVisits(localStorage, `${BaseURL}:${useUser()?.id ?? 0}`)
}

/** Remembers a file with which the user stays. */
export function useRecentFile(path: string): void {
  const { add } = useRecentVisits()
  const visit = useEffectEvent(() => add(path))
  useEffect(() => {
    const timer = setTimeout(visit, MIN_VISIT)
    return () => clearTimeout(timer)
  }, [path])
}

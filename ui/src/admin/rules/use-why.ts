import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { why, whyIf } from '../../../../src/api/rules.ts'
import type { Action, Explanation, Supposed } from '../../../../src/domain/explanation.ts'
import { useClient } from '../../api/client-context.tsx'
import { useSettled } from '../../lib/use-settled.ts'

interface WhyOf {
  /** User name or "id:7"; without it somebody is chosen. */
  readonly user: string | undefined
  /** What is not saved yet; undefined where nothing differs. */
  readonly supposed: Supposed | undefined
}

export interface WhyState {
  readonly user: string | undefined
  readonly action: Action
  readonly path: string
  readonly answer: Explanation | undefined
  readonly error: Error | null
  readonly busy: boolean
  choose(user: string): void
  ask(action: Action, path: string): void
}

/** Milliseconds without a key after which the server is asked. */
const PAUSE = 300

/** Asks what somebody may do at a path, now or with what is not saved yet. */
export function useWhy({ user: given, supposed }: WhyOf): WhyState {
  const client = useClient()
  const [chosen, setChosen] = useState<string>()
  const [asked, setAsked] = useState<{ action: Action; path: string }>({ action: 'read', path: '' })
  const user = given ?? chosen
  const question = useMemo(() => JSON.stringify({ user, ...asked, supposed }), [user, asked, supposed])
  const settled = useSettled(question, PAUSE)
  const enabled = user !== undefined && asked.path.startsWith('/')
  const { data, error, isFetching } = useQuery({
    queryKey: ['why', settled],
    queryFn: async ({ signal }) => {
      const { supposed: draft, ...query } = JSON.parse(settled) as Question
      if (draft === undefined) return await client.call(why, { query, signal })
      return await client.call(whyIf, { body: { ...query, supposed: draft }, signal })
    },
    enabled: enabled && (JSON.parse(settled) as Question).path.startsWith('/'),
    placeholderData: keepPreviousData,
    throwOnError: false,
    staleTime: 0,
    gcTime: 0,
  })
  return {
    user,
    ...asked,
    answer: enabled && error === null ? data : undefined,
    error: enabled ? error : null,
    busy: isFetching || question !== settled,
    choose: setChosen,
    ask: (action, path) => setAsked({ action, path }),
  }
}

interface Question {
  readonly user: string
  readonly action: Action
  readonly path: string
  readonly supposed?: Supposed
}

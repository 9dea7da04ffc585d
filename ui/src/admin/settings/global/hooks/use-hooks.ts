import { type ReactNode, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { addHook, changeHook, listHooks, removeHook, testHook } from '../../../../../../src/api/automation/hooks.ts'
import type { Hook, HookChange, HookList, HookTrial, NewHook } from '../../../../../../src/domain/automation/hook.ts'
import { ApiError } from '../../../../api/api-error.ts'
import { useClient } from '../../../../api/client.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { useToasts } from '../../../../kit/feedback/toast.tsx'
import { refusalOf } from '../../../../common/refusal.tsx'
import { useAttempt, useReportFailure } from '../../../forms/use-report-failure.ts'

const QUERY = ['settings', 'hooks']

export function useHooks() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const { attempt } = useAttempt()
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => client.call(listHooks, { signal }),
    staleTime: 0,
    throwOnError: (_error, query) => query.state.data === undefined,
  })
  const list = data?.hooks ?? []

  const refreshAfter = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    const result = await attempt(work)
    await queries.invalidateQueries({ queryKey: ['settings'] })
    return result
  }

  return {
    list,
    /** @throws ApiError, which the form shows */
    async add(hook: NewHook) {
      await client.call(addHook, { body: hook })
      await queries.invalidateQueries({ queryKey: ['settings'] })
      toasts.success(t('hooks.added'))
    },
    async switchTo({ id }: Hook, enabled: boolean) {
      // Update optimistically; the list is fetched again in any case.
      queries.setQueryData<HookList>(QUERY, (known) => known && { ...known, hooks: switched(known.hooks, id, enabled) })
      await refreshAfter(async () => await client.call(changeHook, { params: { id }, body: { enabled } }))
    },
    /** Moves a hook among those of the same event. */
    async move({ id }: Hook, index: number) {
      await refreshAfter(async () => await client.call(changeHook, { params: { id }, body: { place: index } }))
    },
    /** @throws ApiError, which the form shows */
    async limit({ id }: Hook, limits: Pick<HookChange, 'timeout' | 'outputLimit' | 'onFailure'>) {
      await client.call(changeHook, { params: { id }, body: limits })
      await queries.invalidateQueries({ queryKey: ['settings'] })
    },
    async remove({ id }: Hook) {
      await refreshAfter(async () => {
        await client.call(removeHook, { params: { id } })
        toasts.success(t('hooks.removed'))
      })
    },
    /** Runs it once with sample values. Undefined if the server refused; a toast shows why. */
    test: async ({ id }: Hook): Promise<HookTrial | undefined> =>
      await refreshAfter(async () => await client.call(testHook, { params: { id } })),
  }
}

export type Hooks = ReturnType<typeof useHooks>

function switched(hooks: readonly Hook[], id: string, enabled: boolean): Hook[] {
  return hooks.map((hook) => (hook.id === id ? { ...hook, enabled } : hook))
}

/** Sends a form about a hook. The form shows what the server rejects; a toast reports other failures. */
export function useHookRequest(onRejected: (problem: ReactNode) => void) {
  const reportFailure = useReportFailure()
  const [busy, setBusy] = useState(false)
  /** Resolves to whether it succeeded. */
  const send = async (request: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    try {
      await request()
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) onRejected(refusalOf(error))
      else reportFailure(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, send }
}

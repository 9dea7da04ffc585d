import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  addProvider,
  changeProvider,
  listProviders,
  removeProvider,
  testProvider,
} from '../../../../../src/api/accounts/providers.ts'
import type { NewProvider, ProviderChange, ProviderView } from '../../../../../src/domain/accounts/provider-view.ts'
import type { ApiError } from '../../../api/api-error.ts'
import { useClient } from '../../../api/client.ts'
import { useConfirmed } from '../../../common/confirm-prompt.tsx'
import { problemOf, problemText } from '../../../common/problem-text.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { useToasts } from '../../../kit/feedback/toast.tsx'

/** Below "settings", so that changes by others appear. */
const QUERY = ['settings', 'providers']
/** Milliseconds for which the state of a provider is not asked again. */
const STATE_AGE = 60_000

/** The fields of a form, without the password that confirms them. */
export type ProviderFields = Omit<NewProvider, 'current_password'>

/** Resolves with true when saved, an error for the form to show, or undefined when cancelled. */
type Saved = Promise<true | ApiError | undefined>

export function useProviders() {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const { data } = useQuery({
    queryKey: QUERY,
    queryFn: ({ signal }) => client.call(listProviders, { signal }),
    staleTime: 0,
  })

  const save = async (send: (confirmation: { current_password?: string }) => Promise<unknown>): Saved => {
    const outcome = await confirmed({
      title: t('signin.passwordTitle'),
      text: t('signin.passwordText'),
      label: t('settings.save'),
      send: async (password) => await send(password === undefined ? {} : { current_password: password }),
    })
    if (outcome === true) {
      toasts.success(t('providers.saved'))
      await queries.invalidateQueries({ queryKey: QUERY })
    }
    return outcome
  }

  return {
    list: data,
    add: async (fields: ProviderFields): Saved =>
      await save(async (confirmation) => await client.call(addProvider, { body: { ...fields, ...confirmation } })),
    change: async (id: string, change: ProviderChange): Saved =>
      await save(
        async (confirmation) =>
          await client.call(changeProvider, { params: { id }, body: { ...change, ...confirmation } }),
      ),
    async remove({ id, name }: ProviderView): Promise<void> {
      const outcome = await confirmed({
        title: t('providers.removeTitle', { name }),
        text: t('providers.removeText'),
        label: t('providers.remove'),
        danger: true,
        always: true,
        send: async (password) => {
          const body = password === undefined ? {} : { current_password: password }
          await client.call(removeProvider, { params: { id }, body })
        },
      })
      if (outcome === true) toasts.success(t('providers.removed', { name }))
      else if (outcome !== undefined) toasts.error(problemText(t, problemOf(outcome)))
      await queries.invalidateQueries({ queryKey: QUERY })
    },
  }
}

export type Providers = ReturnType<typeof useProviders>

/** Whether a provider works now; undefined while that is not known. */
export function useProviderState({ id, enabled }: ProviderView): boolean | undefined {
  const client = useClient()
  const { data } = useQuery({
    queryKey: [...QUERY, id, 'state'],
    queryFn: async ({ signal }) => (await client.call(testProvider, { params: { id }, body: {}, signal })).works,
    enabled,
    staleTime: STATE_AGE,
    retry: false,
    throwOnError: false,
  })
  return data
}

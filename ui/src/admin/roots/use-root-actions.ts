import { useQueryClient } from '@tanstack/react-query'
import { removeRoot } from '../../../../src/api/server/roots.ts'
import type { RootView } from '../../../../src/domain/server/root.ts'
import { useClient } from '../../api/client.ts'
import { useConfirmed } from '../../common/confirm-prompt.tsx'
import { refusalOf } from '../../common/refusal.tsx'
import { useLocale, useText } from '../../i18n/use-text.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'

const RootForm = lazyPrompt(async () => (await import('./root-prompt.tsx')).RootPrompt)
const People = lazyPrompt(async () => (await import('./people-prompt.tsx')).PeoplePrompt)

/** Names in a question; the rest is counted. */
const NAMED = 10

export type RootActions = ReturnType<typeof useRootActions>

/** What administrators do with roots. */
export function useRootActions() {
  const t = useText()
  const locale = useLocale()
  const ask = usePrompt()
  const client = useClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()
  const queries = useQueryClient()
  const navigateTo = useNavigateTo()
  const refresh = async (): Promise<void> => await queries.invalidateQueries({ queryKey: ['roots'] })

  /** Who loses a root, and what becomes of its files. */
  const lossOf = ({ location, people: { users, groups } }: RootView): string => {
    const names = [...groups.map(({ name }) => name), ...users.map(({ username }) => username)]
    const rest = names.length - NAMED
    const shown = rest > 0 ? [...names.slice(0, NAMED), t('users.more', { count: rest })] : names
    const whom = new Intl.ListFormat(locale).format(shown)
    return [
      ...(names.length > 0 ? [t('roots.removeFrom', { names: whom })] : []),
      t('roots.removeText', { location }),
    ].join(' ')
  }

  const people = async (root: RootView): Promise<void> => {
    await ask(People, { root })
    await refresh()
  }

  return {
    people,
    serverOptions: () => navigateTo('/settings/global/server'),
    async add(): Promise<void> {
      const root = await ask(RootForm, { root: undefined })
      if (root === undefined) return
      await refresh()
      await people(root)
    },
    async edit(root: RootView): Promise<void> {
      const changed = await ask(RootForm, { root })
      if (changed === undefined) return
      toasts.success(t('roots.saved', { name: changed.name }))
      await refresh()
    },
    async remove(root: RootView): Promise<void> {
      const { id, name } = root
      const outcome = await confirmed({
        title: t('roots.removeTitle', { name }),
        text: lossOf(root),
        label: t('roots.remove'),
        danger: true,
        always: true,
        explain: refusalOf,
        send: async (password) => {
          const body = password === undefined ? {} : { current_password: password }
          await client.call(removeRoot, { params: { id }, body })
        },
      })
      if (outcome !== true) return
      toasts.success(t('roots.removed', { name }))
      for (const key of ['roots', 'users', 'groups']) void queries.invalidateQueries({ queryKey: [key] })
    },
  }
}

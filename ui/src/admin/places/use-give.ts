import { useQueryClient } from '@tanstack/react-query'
import { changeGroup, getGroup } from '../../../../src/api/accounts/groups.ts'
import { getUser, updateUser } from '../../../../src/api/accounts/users.ts'
import type { GivenPlace } from '../../../../src/domain/accounts/place.ts'
import type { RootView } from '../../../../src/domain/server/root.ts'
import { useClient } from '../../api/client.ts'
import { useConfirmed } from '../../common/confirm-prompt.tsx'
import { refusalOf } from '../../common/refusal.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'

/** Who is given a folder of a root. */
export interface Receiver {
  readonly kind: 'user' | 'group'
  readonly id: string
  readonly name: string
}

type ChangePlaces = (places: readonly GivenPlace[]) => GivenPlace[]

interface Change {
  readonly title: string
  readonly label: string
  readonly danger?: boolean
  readonly always?: boolean
  readonly success: string
  readonly places: ChangePlaces
}

/** Gives folders of a root to people, and takes them back. Both resolve to whether it is done. */
export function useGive({ name: root }: Pick<RootView, 'name'>) {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const toasts = useToasts()
  const confirmed = useConfirmed()

  const write = async ({ kind, id }: Receiver, change: ChangePlaces, password: string | undefined): Promise<void> => {
    const params = { id }
    const proof = password === undefined ? {} : { current_password: password }
    if (kind === 'user') {
      const user = await client.call(getUser, { params })
      const data = { ...user, places: change(user.places ?? []) }
      await client.call(updateUser, { params, body: { what: 'user', which: ['places'], data, ...proof } })
    } else {
      const { places } = await client.call(getGroup, { params })
      await client.call(changeGroup, { params, body: { places: change(places), ...proof } })
    }
  }

  const perform = async (receiver: Receiver, { success, places, ...question }: Change): Promise<boolean> => {
    const send = async (password: string | undefined) => await write(receiver, places, password)
    const outcome = await confirmed({ ...question, send, explain: refusalOf }).finally(() => {
      for (const key of ['roots', 'users', 'groups']) void queries.invalidateQueries({ queryKey: [key] })
    })
    if (outcome === true) toasts.success(success)
    return outcome === true
  }

  return {
    give: async (receiver: Receiver, place: GivenPlace): Promise<boolean> =>
      await perform(receiver, {
        title: t('roots.giveTitle', { root, name: receiver.name }),
        label: t('roots.give'),
        success: t('roots.given', { root, name: receiver.name }),
        // The same folder again changes what may be done there.
        places: (before) => [...before.filter((each) => !isSameFolder(each, place)), place],
      }),
    take: async (receiver: Receiver, place: GivenPlace): Promise<boolean> =>
      await perform(receiver, {
        title: t('roots.takeTitle', { root, name: receiver.name }),
        label: t('roots.take'),
        danger: true,
        always: true,
        success: t('roots.taken', { root, name: receiver.name }),
        places: (before) => before.filter((each) => !isSameFolder(each, place)),
      }),
  }
}

function isSameFolder(one: GivenPlace, other: GivenPlace): boolean {
  return one.root === other.root && one.scope === other.scope
}

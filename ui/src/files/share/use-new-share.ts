import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createShare } from '../../../../src/api/shares.ts'
import type { ShareHash } from '../../../../src/domain/ids.ts'
import { useClient } from '../../api/client-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import type { FileItem } from '../actions/file-actions.ts'
import { toDuration } from './model/ending.ts'
import { keepEnding, lastEnding } from './model/last-ending.ts'
import { useCopy } from './use-copy.ts'
import { type ShareForm, useShareForm } from './use-share-form.ts'
import { useShareLinks } from './use-share-links.ts'

/** A link that was made just now. */
export interface MadeShare {
  readonly hash: ShareHash
  readonly password: string
  /** It is on the clipboard already. */
  readonly copied: boolean
}

export interface NewShare {
  readonly form: ShareForm
  readonly isBusy: boolean
  /** Why it could not be made. */
  readonly error: Error | null
  submit(): void
}

/** Makes a link of what the form says, and copies it. */
export function useNewShare(item: FileItem, onMade: (made: MadeShare) => void): NewShare {
  const t = useText()
  const client = useClient()
  const queries = useQueryClient()
  const copy = useCopy()
  const links = useShareLinks()
  const form = useShareForm(() => lastEnding(localStorage))
  const create = useMutation({
    mutationFn: async () => {
      const password = form.password.trim()
      const path = item.isDir ? `${item.path}/` : item.path
      const body = { password, ...toDuration(form.ending, new Date()) }
      const making = client.call(createShare, { params: { '*': path }, query: {}, body })
      const copied = await copy({ text: making.then(links.page), success: t('shares.madeAndCopied'), quiet: true })
      const share = await making
      keepEnding(localStorage, form.ending)
      await queries.invalidateQueries({ queryKey: ['shares'] })
      return { hash: share.hash, password, copied }
    },
    onSuccess: (made) => {
      form.setPassword('')
      onMade(made)
    },
  })
  return {
    form,
    isBusy: create.isPending,
    error: create.error,
    submit() {
      if (!create.isPending && form.check()) create.mutate()
    },
  }
}

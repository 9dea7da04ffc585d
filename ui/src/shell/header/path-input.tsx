import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { getResource } from '../../../../src/api/files/files.ts'
import { isFilemgrError } from '../../../../src/domain/errors.ts'
import { cleanVirtualPath, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { useText, type Translate } from '../../i18n/use-text.tsx'
import { useRestoreFocus } from '../../kit/keyboard/focus.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { useNavigateTo } from '../../lib/navigation/navigation.tsx'
import styles from './path-input.module.css'

interface PathInputProps {
  readonly path: string
  readonly onClose: () => void
}

/** Opens the typed path, if it exists. */
export function PathInput({ path, onClose }: PathInputProps) {
  const t = useText()
  const client = useClient()
  const navigateTo = useNavigateTo()
  const [text, setText] = useState(path)
  const box = useRef<HTMLDivElement>(null)
  useRestoreFocus(box)
  const go = useMutation({
    mutationFn: async (input: string) => {
      const target = cleanVirtualPath(input)
      const found = await client.call(getResource, { params: { '*': target } })
      return filesHref(found.isDir && target !== ROOT ? `${target}/` : (target satisfies VirtualPath))
    },
    onSuccess: (href) => {
      onClose()
      navigateTo(href)
    },
  })
  return (
    <div ref={box} className={styles['field']}>
      <input
        type="text"
        aria-label={t('shell.path')}
        aria-invalid={go.isError || undefined}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={text}
        ref={(field) => {
          if (field !== null && document.activeElement !== field) field.select()
        }}
        onChange={(event) => {
          setText(event.currentTarget.value)
          go.reset()
        }}
        onBlur={() => go.isPending || onClose()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go.mutate(text)
          else if (event.key === 'Escape') onClose()
          else return
          event.preventDefault()
        }}
      />
      {go.isError && <p role="alert">{describe(t, go.error)}</p>}
    </div>
  )
}

function describe(t: Translate, error: Error): string {
  if (isFilemgrError(error)) return t('shell.pathWrong')
  const status = error instanceof ApiError ? error.status : -1
  if (status === 0) return t('files.noConnection')
  if (status === 403) return t('errors.forbidden')
  return t(status === 404 ? 'shell.pathMissing' : 'shell.pathFailed')
}

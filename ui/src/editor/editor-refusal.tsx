import { getRaw } from '../../../src/api/files.ts'
import { LONGEST_TEXT } from '../../../src/domain/resource-type.ts'
import type { Resource } from '../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useClient } from '../api/client-context.tsx'
import { useFormat } from '../i18n/use-format.ts'
import { useText, type MessageId } from '../i18n/use-text.tsx'
import { Button, buttonClass } from '../kit/button/button.tsx'
import { EmptyState } from '../kit/feedback/empty-state.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { useCloseFile } from '../lib/use-close-file.ts'

const TEXTS: Readonly<Record<EditorRefusalProps['reason'], MessageId>> = {
  binary: 'editor.binaryText',
  'too-large': 'editor.tooLargeText',
  forbidden: 'editor.forbiddenText',
}

interface EditorRefusalProps {
  readonly file: Resource
  readonly path: VirtualPath
  readonly reason: 'binary' | 'too-large' | 'forbidden'
}

/** Why a file is not opened, and what can be done with it instead. */
export function EditorRefusal({ file, path, reason }: EditorRefusalProps) {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const close = useCloseFile(path)
  const sizes = { size: format.bytes(file.size), limit: format.bytes(LONGEST_TEXT) }
  return (
    <EmptyState
      role="status"
      art={<Icon name={reason === 'forbidden' ? 'lock' : 'ban'} size={56} />}
      title={t('editor.cannotOpen', { name: file.name })}
      actions={
        <>
          {reason !== 'forbidden' && (
            <a
              className={buttonClass({ variant: 'primary' })}
              href={client.url(getRaw, { params: { '*': path } })}
              download={file.name}
            >
              <Icon name="download" size={16} />
              {t('files.download')}
            </a>
          )}
          <Button onClick={close}>{t('editor.backToFolder')}</Button>
        </>
      }
    >
      {t(TEXTS[reason], sizes)}
    </EmptyState>
  )
}

import type { Resource } from '../../../../src/domain/resource.ts'
import { parentOf, type VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button.tsx'
import { EmptyState } from '../../kit/empty-state.tsx'
import { FileName } from '../../kit/file-name.tsx'
import { FileGlyph } from '../../kit/icon.tsx'
import { useUser } from '../../api/session-context.tsx'
import { kindOf } from './model/entry-kind.ts'
import { useOpenEntry } from './use-open-entry.ts'

/** The address of a file: what it is, and the ways to get it. */
export function FileFound({ file, path }: { readonly file: Resource; readonly path: VirtualPath }) {
  const t = useText()
  const format = useFormat()
  const mayDownload = useUser()?.perm.download ?? false
  const { open, download } = useOpenEntry(parentOf(path))
  const facts = [format.bytes(file.size), format.dateTime(new Date(file.modified))].join(' · ')
  return (
    <EmptyState
      art={<FileGlyph type={kindOf(file)} size={56} />}
      title={<FileName name={file.name} />}
      actions={
        mayDownload && (
          <>
            <Button variant="primary" icon="download" onClick={() => download(file)}>
              {t('files.download')}
            </Button>
            <Button icon="eye" onClick={() => open(file)}>
              {t('files.open')}
            </Button>
          </>
        )
      }
    >
      <bdi className="num">{facts}</bdi>
    </EmptyState>
  )
}

import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink } from '../../kit/button/button.tsx'
import { FileGlyph } from '../../kit/icon/icon.tsx'
import { FileName } from '../../kit/text/names.tsx'
import { kindOfName } from '../../lib/file-kind.ts'
import type { StoragePart } from './storage-parts.ts'
import styles from './storage-page.module.css'

interface StorageListProps {
  readonly parts: readonly StoragePart[]
  /** Bytes of all of them. */
  readonly total: number
  readonly hrefOf: (part: StoragePart) => string
}

/** What is in a folder, by size. */
export function StorageList({ parts, total, hrefOf }: StorageListProps) {
  const t = useText()
  const format = useFormat()
  return (
    <ol className={styles['parts']} aria-label={t('storage.list')}>
      {parts.map((part) => {
        const { kind, name, bytes, count } = part
        const share = total === 0 ? 0 : bytes / total
        return (
          <li key={`${kind} ${name}`}>
            <FileGlyph type={kind === 'folder' ? 'folder' : (kindOfName(name) ?? 'other')} size={24} />
            {kind === 'rest' ? (
              <span className="muted">{t('storage.rest', { count })}</span>
            ) : (
              <AppLink to={hrefOf(part)} className="touch" title={name}>
                <FileName name={name} />
              </AppLink>
            )}
            <bdi className="num">{format.bytes(bytes)}</bdi>
            <bdi className="num subtle">{format.percent(share)}</bdi>
            <span className={styles['bar']} aria-hidden="true">
              <span style={{ inlineSize: `${share * 100}%` }} />
            </span>
          </li>
        )
      })}
    </ol>
  )
}

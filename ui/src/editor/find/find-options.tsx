import { useText, type MessageId } from '../../i18n/use-text.tsx'
import type { Query } from './finder.ts'
import styles from './find-bar.module.css'

type Option = Exclude<keyof Query, 'text'>

const OPTIONS: readonly { readonly option: Option; readonly sign: string; readonly label: MessageId }[] = [
  { option: 'matchCase', sign: 'Aa', label: 'editor.matchCase' },
  { option: 'wholeWord', sign: '“a”', label: 'editor.wholeWord' },
  { option: 'regExp', sign: '.*', label: 'editor.regExp' },
]

/** How a search takes what is typed. */
export function FindOptions({ query, onChange }: { readonly query: Query; readonly onChange: (query: Query) => void }) {
  const t = useText()
  return OPTIONS.map(({ option, sign, label }) => (
    <button
      key={option}
      type="button"
      className={styles['option']}
      aria-label={t(label)}
      aria-pressed={query[option]}
      data-sign={sign}
      data-tooltip={t(label)}
      onClick={() => onChange({ ...query, [option]: !query[option] })}
    />
  ))
}

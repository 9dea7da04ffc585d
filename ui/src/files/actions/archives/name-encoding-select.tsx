import { NAME_ENCODINGS, type Encoding, encodingFacts, isEncoding } from '../../../../../src/domain/text/encodings.ts'
import { useEncodingNames } from '../../../i18n/use-encoding-names.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import styles from './name-encoding-select.module.css'

interface NameEncodingSelectProps {
  /** Undefined if it is detected. */
  readonly value: Encoding | undefined
  /** What was detected. */
  readonly detected: Encoding | undefined
  readonly onChange: (encoding: Encoding | undefined) => void
}

/** In which encoding an archive has those names that do not say theirs. */
export function NameEncodingSelect({ value, detected, onChange }: NameEncodingSelectProps) {
  const t = useText()
  const nameOf = useEncodingNames()
  const automatic = t('archive.encodingAuto')
  const isDetected = value === undefined && detected !== undefined
  return (
    <label className={styles['field']}>
      <span>{t('archive.encoding')}</span>
      <Select
        options={[
          { value: '', label: isDetected ? `${automatic} (${encodingFacts(detected).name})` : automatic },
          ...NAME_ENCODINGS.map((encoding) => ({ value: encoding, label: nameOf(encoding) })),
        ]}
        value={value ?? ''}
        onChange={(chosen) => onChange(isEncoding(chosen) ? chosen : undefined)}
      />
    </label>
  )
}

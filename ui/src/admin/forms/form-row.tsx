import type { ReactNode } from 'react'
import type { FormField } from '../../../../src/domain/schema/forms.ts'
import { SettingRow, type SettingControl } from '../../kit/page/settings.tsx'
import { useFieldTexts, type FieldTexts } from './form-text.ts'
import styles from './form-row.module.css'
import { formatMode, parseMode, parseByteSize, formatByteSize } from '../../../../src/domain/text/units.ts'
import { joinCommand, splitCommand } from '../../../../src/domain/text/command-words.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { CODE_INPUT, ColorInput, NumberInput, ParsedInput, TextInput } from '../../kit/fields/inputs.tsx'
import { Switch } from '../../kit/fields/checkbox.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { FolderButton } from './folder-button.tsx'

interface FormRowProps {
  readonly field: FormField
  /** See `fieldTextId`. */
  readonly form?: string | undefined
  readonly value: unknown
  /** Called with undefined for input that cannot be parsed. */
  readonly onChange: (value: unknown) => void
  readonly error?: ReactNode
  readonly disabled?: boolean | undefined
  /** Shown beside the label, such as "Applies after a restart". */
  readonly marks?: ReactNode
  /** Replaces the hint from the catalogue. */
  readonly hint?: ReactNode
  /** The options, if the schema does not list them. */
  readonly options?: readonly FieldOption[] | undefined
}

/** A form row for one schema field: label, hint, control and error. */
export function FormRow({ field, form, value, onChange, error, disabled, marks, hint, options }: FormRowProps) {
  const texts = useFieldTexts(form)(field)
  const shownHint = hint ?? texts.hint
  return (
    <SettingRow
      label={texts.label}
      hint={
        (shownHint || marks) && (
          <>
            {shownHint}
            {marks && <span className={styles['marks']}>{marks}</span>}
          </>
        )
      }
      error={error}
    >
      {(control) => (
        <FieldControl
          control={control}
          field={field}
          texts={texts}
          value={value}
          onChange={onChange}
          disabled={disabled}
          options={options}
        />
      )}
    </SettingRow>
  )
}

interface FieldOption {
  readonly value: string
  readonly label: string
}

interface FieldControlProps {
  readonly control: SettingControl
  readonly field: FormField
  readonly texts: FieldTexts
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly disabled?: boolean | undefined
  /** The options, if the schema does not list them. */
  readonly options?: readonly FieldOption[] | undefined
}

/** Delay after typing before a size applies, in milliseconds, and the size used for invalid input, in bytes. */
const SIZE_PAUSE = 1500
const DEFAULT_SIZE = 1024 * 1024

/** Where 0 means no limit, so does an empty field, and invalid input is not replaced by a default. */
function parseSize(text: string, minimum: number | undefined): number | undefined {
  if (minimum !== 0) return parseByteSize(text) ?? DEFAULT_SIZE
  return text.trim() === '' ? 0 : parseByteSize(text)
}

/** The control for a field, chosen by its kind. */
function FieldControl({ control, field, texts, value, onChange, disabled, options }: FieldControlProps) {
  const t = useText()
  const common = { ...control, disabled }
  if (options !== undefined) {
    return <Select {...common} options={options} value={String(value)} onChange={onChange} />
  }
  switch (field.widget) {
    case 'switch':
      return <Switch {...common} checked={value === true} onChange={onChange} />
    case 'choice':
      return (
        <Select
          {...common}
          options={field.choices.map((choice) => ({ value: choice, label: texts.choice(choice) }))}
          value={String(value)}
          onChange={onChange}
        />
      )
    case 'number':
      return <NumberField {...common} field={field} value={value} onChange={onChange} />
    case 'bytes':
      return <SizeField {...common} field={field} value={value} onChange={onChange} />
    case 'mode':
      return (
        <ParsedInput
          {...common}
          code
          value={asNumber(value)}
          parse={parseMode}
          format={formatMode}
          onChange={onChange}
        />
      )
    case 'words':
      return (
        <ParsedInput
          {...common}
          code
          value={asWords(value)}
          parse={parseWords}
          format={joinCommand}
          onChange={onChange}
        />
      )
    case 'color':
      return <ColorInput {...common} pickLabel={t('form.pickColor')} value={asText(value)} onChange={onChange} />
    case 'folder':
      return (
        <TextField
          {...common}
          value={asText(value)}
          {...CODE_INPUT}
          onChange={(event) => onChange(event.currentTarget.value)}
          end={<FolderButton value={asText(value)} disabled={disabled} onChange={onChange} />}
        />
      )
    case 'secret':
      return (
        <TextInput {...common} type="password" autoComplete="new-password" value={asText(value)} onChange={onChange} />
      )
    default:
      return (
        <TextInput
          {...common}
          code={isCode(field)}
          value={asText(value)}
          onChange={onChange}
          placeholder={texts.hint === '' ? field.leaf.annotation.example : undefined}
        />
      )
  }
}

type CommonProps = SettingControl & Pick<FieldControlProps, 'value' | 'onChange' | 'disabled'>

function NumberField({ field, value, ...rest }: CommonProps & { field: FormField }) {
  const { minimum, maximum } = field.leaf.schema
  return <NumberInput {...rest} value={asNumber(value)} min={minimum} max={maximum} />
}

function SizeField({ field, value, ...rest }: CommonProps & { field: FormField }) {
  const t = useText()
  const format = useFormat()
  const bytes = asNumber(value)
  return (
    <ParsedInput
      {...rest}
      value={bytes}
      pause={SIZE_PAUSE}
      parse={(text) => parseSize(text, field.leaf.schema.minimum)}
      format={spacedSize}
      meaning={bytes !== undefined && t('form.bytes', { bytes: format.number(bytes), count: bytes })}
    />
  )
}

/** Names are natural language and follow its direction; all other texts are left to right. */
function isCode({ key, widget }: FormField): boolean {
  return widget === 'duration' || !['branding.name', 'username'].includes(key)
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function asWords(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined
}

/** Splits at spaces; quotes keep words together. An open quote means that the user is still typing. */
function parseWords(text: string): readonly string[] {
  try {
    return splitCommand(text).map((word) => word.text)
  } catch {
    return text.split(/\s+/).filter(Boolean)
  }
}

/** "10 MiB": a format that users type and the server parses. */
export function spacedSize(bytes: number): string {
  return formatByteSize(bytes).replace(/(?=([KMGT]i)?B$)/, ' ')
}

import { useRef } from 'react'
import { Button } from '../button/button.tsx'

interface FilePickerProps {
  readonly label: string
  /** Extensions and media types, as in the `accept` attribute of an input. */
  readonly accept: string
  readonly multiple?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly busy?: boolean | undefined
  readonly onChoose: (files: readonly File[]) => void
}

/** A button that lets users choose files from their device. */
export function FilePicker({ label, accept, multiple, disabled, busy, onChoose }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        icon="upload"
        size="small"
        disabled={disabled}
        progress={busy ? 'busy' : 'idle'}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        onChange={({ currentTarget }) => {
          const chosen = [...(currentTarget.files ?? [])]
          // Otherwise choosing the same file again would not be a change.
          currentTarget.value = ''
          if (chosen.length > 0) onChoose(chosen)
        }}
      />
    </>
  )
}

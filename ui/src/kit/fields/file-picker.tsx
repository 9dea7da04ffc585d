import { useRef } from 'react'
import { Button } from '../button/button.tsx'

interface FilePickerProps {
  readonly label: string
  /** Endings and media types, as the attribute of the same name. */
  readonly accept: string
  readonly multiple?: boolean | undefined
  readonly disabled?: boolean | undefined
  readonly busy?: boolean | undefined
  readonly onChoose: (files: readonly File[]) => void
}

/** A button that lets people choose files of their device. */
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
          // The same file can be chosen again.
          currentTarget.value = ''
          if (chosen.length > 0) onChoose(chosen)
        }}
      />
    </>
  )
}

import { type KeyboardEvent, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { useKitText } from './kit-text.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'end' | 'onKeyUp' | 'spellCheck'>

/** A password with a button that shows it, and a hint while Caps Lock is on. */
export function PasswordField({ hint, onBlur, ...rest }: PasswordFieldProps) {
  const text = useKitText()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  const toggle = (
    <IconButton
      icon={shown ? 'eye-off' : 'eye'}
      label={shown ? text.hidePassword : text.showPassword}
      onClick={() => setShown(!shown)}
    />
  )
  return (
    <TextField
      {...rest}
      type={shown ? 'text' : 'password'}
      hint={<span role="status">{capsLock ? text.capsLock : hint}</span>}
      end={toggle}
      spellCheck={false}
      autoCapitalize="none"
      onKeyUp={watchCapsLock}
      onBlur={(event) => {
        setCapsLock(false)
        onBlur?.(event)
      }}
    />
  )
}

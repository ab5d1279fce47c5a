import { createTransport, type Transporter } from 'nodemailer'

/** A mail to one person, with the same content as plain text and as HTML. */
export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  headers?: Record<string, string>
}

/** A server refused a mail for good (RFC 5321, 4.2.1), so another attempt is refused, too. */
export class MailRejectedError extends Error {
  /** Whether the server refused the address of the recipient, rather than the sender, the text or its own client. */
  readonly isRecipientRejected: boolean

  constructor(cause: Error & { command?: string; response?: string }) {
    super('The mail server refused the mail', { cause })
    // RFC 3463, 3.8: X.7.X are policies, such as that no mail from this server is accepted
    this.isRecipientRejected = cause.command === 'RCPT TO' && !/^5\d\d[ -]5\.7\./.test(cause.response ?? '')
  }
}

const connectMs = 15_000
const idleMs = 30_000

/** Sends mail through the SMTP server of the operator. */
export class Mailer {
  readonly #transport: Transporter
  readonly #from: string

  constructor({ smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string }) {
    this.#from = mailFrom
    this.#transport = createTransport({
      url: smtpUrl,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: idleMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }

  /** Throws `MailRejectedError` where the server refuses this mail for good. */
  async send({ to, subject, text, html, headers }: Mail): Promise<void> {
    try {
      await this.#transport.sendMail({
        from: this.#from,
        // an object: a comma in the address does not add a recipient
        to: { name: '', address: to },
        subject,
        text,
        html,
        // RFC 3834: no replies of absent people
        headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      if (isFinal(error)) throw new MailRejectedError(error)
      throw error
    }
  }
}

/** Errors of the login are not final: the operator may correct the password. */
function isFinal(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  return ['EENVELOPE', 'EMESSAGE'].includes(String(error.code)) && Number(error.responseCode) >= 500
}

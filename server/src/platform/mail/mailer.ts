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
export class MailRejectedError extends Error {}

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
      if (isFinal(error)) throw new MailRejectedError('The mail server refused the mail', { cause: error })
      throw error
    }
  }
}

/** Errors of the login are not final: the operator may correct the password. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  return ['EENVELOPE', 'EMESSAGE'].includes(String(error.code)) && Number(error.responseCode) >= 500
}

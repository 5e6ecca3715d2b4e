{{- define "fabula.name" -}}
{{- printf "%s-%s" .Release.Name "fabula" | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "fabula.labels" -}}
app.kubernetes.io/name: fabula
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "fabula.allLabels" -}}
{{ include "fabula.labels" . }}
app.kubernetes.io/version: {{ .Values.image.tag | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "fabula.image" -}}
{{ .Values.image.repository }}:{{ required "image.tag: name the version of Fabula" .Values.image.tag }}
{{- end -}}

{{/* What all pods share. The argument has `root` and `grace` (seconds). */}}
{{- define "fabula.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .grace }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Spreads the pods of one kind over nodes. The argument has `root` and `component`. */}}
{{- define "fabula.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "fabula.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* QUEUE_PARTS of a map of queues: `email=2,http-request=4`. */}}
{{- define "fabula.queueParts" -}}
{{- $parts := list -}}
{{- range $queue, $number := . -}}
{{- $parts = append $parts (printf "%s=%d" $queue (int $number)) -}}
{{- end -}}
{{- join "," $parts -}}
{{- end -}}

{{/* What all containers share. The argument has `root` and `keys` (variable: key of the Secret). */}}
{{- define "fabula.container" -}}
image: {{ include "fabula.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/fabula, readOnly: true }
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
env:
  - { name: SHUTDOWN_SECONDS, value: {{ .root.Values.shutdownSeconds | quote }} }
  {{- with .root.Values.queueParts }}
  - { name: QUEUE_PARTS, value: {{ include "fabula.queueParts" . | quote }} }
  {{- end }}
  {{- if .root.Values.metrics.enabled }}
  - { name: METRICS_HOST, value: "0.0.0.0" }
  - { name: METRICS_PORT, value: {{ .root.Values.metrics.port | quote }} }
  {{- else }}
  - { name: METRICS, value: "off" }
  {{- end }}
  {{- range $name, $value := .root.Values.settings }}
  - { name: {{ $name }}, value: {{ $value | toString | quote }} }
  {{- end }}
  {{- range $name, $key := .keys }}
  - { name: {{ $name }}_FILE, value: /run/secrets/fabula/{{ $key }} }
  {{- end }}
{{- end -}}

{{/* The argument has `root` and `keys`. The pod sees only the keys that it needs. */}}
{{- define "fabula.volumes" -}}
volumes:
  - name: secrets
    secret:
      secretName: {{ .root.Values.secret.name }}
      defaultMode: 0440
      items:
        {{- range $name, $key := .keys }}
        - { key: {{ $key }}, path: {{ $key }} }
        {{- end }}
  # Mails without SMTP_URL; they go with the pod.
  - { name: data, emptyDir: { sizeLimit: 256Mi } }
  - { name: tmp, emptyDir: { sizeLimit: 256Mi } }
{{- end -}}
